// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.vertx.redis.client.Request;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The arguments of a request, which the client library exposes only to its encoder. */
final class RequestArguments {
    private static final MethodHandle ARGUMENTS = arguments();

    private RequestArguments() {}

    static String[] of(Request request) {
        List<byte[]> bytes = bytes(request);
        String[] texts = new String[bytes.size()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = new String(bytes.get(i), StandardCharsets.UTF_8);
        }
        return texts;
    }

    /** Returns whether the request has the argument at that position, without decoding the others. */
    static boolean has(Request request, int index, byte[] argument) {
        List<byte[]> bytes = bytes(request);
        return index < bytes.size() && Arrays.equals(bytes.get(index), argument);
    }

    @SuppressWarnings("unchecked")
    private static List<byte[]> bytes(Request request) {
        try {
            return (List<byte[]>) ARGUMENTS.invokeExact(request);
        } catch (Throwable e) {
            throw new IllegalStateException("the arguments of a request cannot be read", e);
        }
    }

    private static MethodHandle arguments() {
        try {
            Method method =
                    Class.forName("io.vertx.redis.client.impl.RequestImpl").getDeclaredMethod("getArgs");
            method.setAccessible(true);
            return MethodHandles.lookup().unreflect(method).asType(MethodType.methodType(List.class, Request.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
