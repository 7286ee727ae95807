// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;

/** A proxy that redirects every call to the same path of a service, as many do from http to https. */
final class RedirectingProxy implements AutoCloseable {
    private final HttpServer server;

    RedirectingProxy(int status, URI service) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.getResponseHeaders()
                        .set("Location", service + exchange.getRequestURI().toString());
                exchange.sendResponseHeaders(status, -1);
            }
        });
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
