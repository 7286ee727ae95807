// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.TimeUnit;

/**
 * The deadline for the headers of a request, on one connection. The idle timeout does not limit headers that arrive
 * byte by byte, because each byte restarts it. This handler is first in the pipeline, before TLS, and runs on the event
 * loop of the connection.
 */
final class HeaderDeadline extends ChannelInboundHandlerAdapter {
    private static final long LONGEST_SECONDS = 10;
    private static final AttributeKey<HeaderDeadline> OF_CONNECTION =
            AttributeKey.valueOf(HeaderDeadline.class, "of connection");

    private boolean isAnswering;
    private boolean hasBegun;
    private boolean isLimited;
    private ScheduledFuture<?> end;

    /** Adds the deadline to a connection. */
    static void watch(Channel connection) {
        HeaderDeadline deadline = new HeaderDeadline();
        connection.attr(OF_CONNECTION).set(deadline);
        connection.pipeline().addFirst(deadline);
    }

    /**
     * Notes that the headers of a request are complete. Ends the deadline on HTTP/2 connections, which requests share.
     */
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
            limitPipelining(connection.pipeline(), 1);
        }
    }

    private void limitPipelining(ChannelPipeline connection, int unanswered) {
        if (!isLimited) {
            isLimited = true;
            PipelineLimit.add(connection, unanswered);
        }
    }

    /** Starts the timer only if the headers are incomplete after this read. Most requests need no timer. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        hasBegun = !isAnswering;
        context.fireChannelRead(bytes);
        // The router answers some invalid requests before the filter that calls meet().
        if (!isLimited && PipelineLimit.fits(context.pipeline())) {
            limitPipelining(context.pipeline(), 0);
        }
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
