package io.quorumlock.rest;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Ends connections on which nothing that was written is acknowledged any more: by itself TCP goes on for a quarter of an hour.
 * Takes effect only with the native transport of Linux.
 */
@Singleton
final class LostConnections implements HttpServerOptionsCustomizer {
    private static final Duration LONGEST = Duration.ofSeconds(20);

    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        options.setTcpUserTimeout((int) LONGEST.toMillis());
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        customizeHttpServer(options);
    }
}
