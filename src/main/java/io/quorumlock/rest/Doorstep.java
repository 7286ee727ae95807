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

/** Sees each connection as it is accepted: the HTTP server below hands them on with their first whole request only. */
@Singleton
final class Doorstep {
    private static final String NAME = "doorstep";

    private final VertxInternal vertx;

    Doorstep(Vertx vertx) {
        this.vertx = (VertxInternal) vertx;
    }

    void stand(@ObservesAsync HttpServerStart started) {
        stand();
    }

    void standAtTls(@ObservesAsync HttpsServerStart started) {
        stand();
    }

    private void stand() {
        for (EventExecutor loop : vertx.getAcceptorEventLoopGroup()) {
            loop.execute(() -> stand((SingleThreadEventLoop) loop));
        }
    }

    private static void stand(SingleThreadEventLoop loop) {
        Iterator<Channel> channels = loop.registeredChannelsIterator();
        while (channels.hasNext()) {
            Channel channel = channels.next();
            if (channel instanceof ServerChannel && channel.pipeline().get(NAME) == null) {
                channel.pipeline().addFirst(NAME, new Greeting());
            }
        }
    }

    /** Reads connections where others read bytes. */
    private static final class Greeting extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext server, Object connection) {
            HeaderDeadline.watch((Channel) connection);
            server.fireChannelRead(connection);
        }
    }
}
