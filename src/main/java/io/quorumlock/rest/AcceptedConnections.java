// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ServerChannel;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.quarkus.vertx.http.HttpServerStart;
import io.quarkus.vertx.http.HttpsServerStart;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import java.util.Iterator;

/**
 * Passes each accepted connection to {@link HeaderDeadline}. The HTTP server reports a connection only with its first complete
 * request, and there is neither a setting nor a public hook for earlier.
 */
@Singleton
final class AcceptedConnections {
    private static final String NAME = "accepted-connections";

    private final VertxInternal vertx;

    AcceptedConnections(Vertx vertx) {
        this.vertx = (VertxInternal) vertx;
    }

    void httpStarted(@ObservesAsync HttpServerStart started) {
        observe();
    }

    void httpsStarted(@ObservesAsync HttpsServerStart started) {
        observe();
    }

    private void observe() {
        for (EventExecutor loop : vertx.getAcceptorEventLoopGroup()) {
            loop.execute(() -> observe((SingleThreadEventLoop) loop));
        }
    }

    private static void observe(SingleThreadEventLoop loop) {
        Iterator<Channel> channels = loop.registeredChannelsIterator();
        while (channels.hasNext()) {
            Channel channel = channels.next();
            if (channel instanceof ServerChannel && channel.pipeline().get(NAME) == null) {
                channel.pipeline().addFirst(NAME, new AcceptHandler());
            }
        }
    }

    /** Handles accepted connections: a listening channel reads those. */
    private static final class AcceptHandler extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext server, Object connection) {
            HeaderDeadline.watch((Channel) connection);
            server.fireChannelRead(connection);
        }
    }
}
