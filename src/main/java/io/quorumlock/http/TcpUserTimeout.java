// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Closes connections whose peer does not acknowledge data. TCP itself gives up only after a quarter of an hour, and Quarkus has
 * no setting for it. Takes effect only with the native transport for Linux.
 */
@Singleton
final class TcpUserTimeout implements HttpServerOptionsCustomizer {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        options.setTcpUserTimeout((int) TIMEOUT.toMillis());
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        customizeHttpServer(options);
    }
}
