// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyReader;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/** The reader of bodies in other forms than {@link RequestFields}. That of the framework has no limit. */
@Provider
@Singleton
public final class BytesReader implements ServerMessageBodyReader<byte[]> {
    /** In bytes. The input buffer of the REST layer has the same size, so that reading a body needs no worker thread. */
    static final int LONGEST = 16 * 1024;

    @Override
    public boolean isReadable(
            Class<?> type, Type genericType, ResteasyReactiveResourceInfo method, MediaType mediaType) {
        return type == byte[].class;
    }

    @Override
    public boolean isReadable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return type == byte[].class;
    }

    @Override
    public byte[] readFrom(Class<byte[]> type, Type genericType, MediaType mediaType, ServerRequestContext context)
            throws IOException {
        return body(context);
    }

    /** @throws ProblemException if the body, whose size was not announced, is too large */
    static byte[] body(ServerRequestContext context) throws IOException {
        InputStream in = context.getInputStream();
        byte[] body = in.readNBytes(LONGEST);
        // Does not block, because the input buffer is full: the byte that is too much has arrived.
        if (in.read() >= 0) {
            throw new ProblemException(Problems.bodyTooLarge());
        }
        return body;
    }

    @Override
    public byte[] readFrom(
            Class<byte[]> type,
            Type genericType,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, String> headers,
            InputStream body) {
        throw new UnsupportedOperationException("cannot read a body without the HTTP request");
    }
}
