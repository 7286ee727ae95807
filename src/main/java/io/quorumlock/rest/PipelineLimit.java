package io.quorumlock.rest;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * The limit of pipelined requests on one HTTP/1.1 connection (R14). The HTTP server queues them without a limit, in a list that
 * it walks for each of them. Over the limit, the connection is not read until answers were written. Runs on the event loop of
 * the connection.
 */
final class PipelineLimit extends ChannelDuplexHandler {
    private static final String ENCODER = "httpEncoder";
    private static final int MAX_UNANSWERED = 8;

    /** The request that is handled when the limit is added. */
    private int unanswered = 1;

    private boolean paused;

    /** Adds the limit to a connection, during its first request. */
    static void add(Channel connection) {
        connection.pipeline().addAfter(ENCODER, null, new PipelineLimit());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest) {
            unanswered++;
        }
        context.fireChannelRead(message);
    }

    /** The server may have resumed the connection. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        pauseOrResume(context);
        context.fireChannelReadComplete();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof LastHttpContent && !isInformational(message)) {
            unanswered--;
            pauseOrResume(context);
        }
        context.write(message, promise);
    }

    private static boolean isInformational(Object message) {
        return message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    }

    private void pauseOrResume(ChannelHandlerContext context) {
        if (unanswered > MAX_UNANSWERED) {
            paused = true;
            context.channel().config().setAutoRead(false);
        } else if (paused) {
            paused = false;
            context.channel().config().setAutoRead(true);
        }
    }
}
