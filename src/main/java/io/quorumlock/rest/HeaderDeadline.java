package io.quorumlock.rest;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection on which a request has begun and its headers are not there as a whole in time: each byte ends the
 * silence that an idle time-out looks for. Stands where bytes come in, before TLS; lives on the connection's event loop.
 */
final class HeaderDeadline extends ChannelInboundHandlerAdapter {
    private static final long LONGEST_SECONDS = 10;
    private static final AttributeKey<HeaderDeadline> OF_CONNECTION =
            AttributeKey.valueOf(HeaderDeadline.class, "of connection");

    private boolean isAnswering;
    private boolean hasBegun;
    private ScheduledFuture<?> end;

    /** Watches the connection from now on. */
    static void watch(Channel connection) {
        HeaderDeadline deadline = new HeaderDeadline();
        connection.attr(OF_CONNECTION).set(deadline);
        connection.pipeline().addFirst(deadline);
    }

    /** Hears that a request is here as far as its headers go. With HTTP/2 many share a connection, and it is watched no more. */
    static void meet(RoutingContext exchange) {
        if (exchange.request().connection() instanceof ConnectionBase connection) {
            HeaderDeadline deadline = connection.channel().attr(OF_CONNECTION).get();
            if (deadline != null) {
                deadline.meet(exchange, connection.channel());
            }
        }
    }

    private void meet(RoutingContext exchange, Channel connection) {
        isAnswering = true;
        forget();
        if (exchange.request().version() == HttpVersion.HTTP_2) {
            connection.attr(OF_CONNECTION).set(null);
            connection.pipeline().remove(this);
        } else {
            exchange.addEndHandler(answered -> isAnswering = false);
        }
    }

    /** Looks after the bytes were read: most requests are whole by then, and cost no timer. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        hasBegun = !isAnswering;
        context.fireChannelRead(bytes);
        if (hasBegun && !isAnswering && end == null) {
            end = context.executor().schedule(() -> context.close(), LONGEST_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        forget();
        context.fireChannelInactive();
    }

    private void forget() {
        hasBegun = false;
        if (end != null) {
            end.cancel(false);
            end = null;
        }
    }
}
