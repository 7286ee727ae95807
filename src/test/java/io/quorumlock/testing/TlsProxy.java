// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PfxOptions;
import java.net.URI;

/** A proxy that terminates TLS in front of a server, so that the server does not need TLS support. */
public final class TlsProxy implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final NetServer server;
    private final URI behind;

    public TlsProxy(URI behind, Certificate certificate) {
        this.behind = behind;
        PfxOptions key =
                new PfxOptions().setPath(certificate.keyStore().toString()).setPassword(Certificate.PASSWORD);
        server = vertx.createNetServer(new NetServerOptions().setSsl(true).setKeyCertOptions(key))
                .connectHandler(this::join);
        RealLoop.await(server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture());
    }

    /** Returns the URL of the proxy with this host name. */
    public URI url(String host) {
        return URI.create("rediss://" + host + ":" + server.actualPort());
    }

    private void join(NetSocket client) {
        client.pause();
        vertx.createNetClient()
                .connect(behind.getPort(), behind.getHost())
                .onSuccess(redis -> {
                    client.pipeTo(redis);
                    redis.pipeTo(client);
                })
                .onFailure(refused -> client.close());
    }

    @Override
    public void close() {
        RealLoop.await(vertx.close().toCompletionStage().toCompletableFuture());
    }
}
