package io.quorumlock.redis;

import io.vertx.redis.client.Request;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads the arguments of a request, which the client library exposes only to its encoder. */
final class RequestArguments {
    private static final MethodHandle ARGUMENTS = arguments();

    private RequestArguments() {}

    @SuppressWarnings("unchecked")
    static String[] of(Request request) {
        try {
            List<byte[]> bytes = (List<byte[]>) ARGUMENTS.invoke(request);
            String[] texts = new String[bytes.size()];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = new String(bytes.get(i), StandardCharsets.UTF_8);
            }
            return texts;
        } catch (Throwable e) {
            throw new IllegalStateException("the arguments of a request cannot be read", e);
        }
    }

    private static MethodHandle arguments() {
        try {
            Method method =
                    Class.forName("io.vertx.redis.client.impl.RequestImpl").getDeclaredMethod("getArgs");
            method.setAccessible(true);
            return MethodHandles.lookup().unreflect(method);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
