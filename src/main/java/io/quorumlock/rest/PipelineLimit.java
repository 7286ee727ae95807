// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * The limit of pipelined requests on one HTTP/1.1 connection (R14). The HTTP server queues them without a limit, in a list that
 * it walks for each of them. Over the limit, the connection is not read until answers were written. It is not read either while
 * its client does not read the answers. Runs on the event loop of the connection.
 */
final class PipelineLimit extends ChannelDuplexHandler {
    private static final String ENCODER = "httpEncoder";
    private static final int MAX_UNANSWERED = 8;

    private int unanswered;
    private boolean paused;

    private PipelineLimit(int unanswered) {
        this.unanswered = unanswered;
    }

    /** Returns whether the connection is known to use HTTP/1.1. */
    static boolean fits(ChannelPipeline connection) {
        return connection.get(ENCODER) != null;
    }

    /**
     * Adds the limit to a connection that uses HTTP/1.1.
     *
     * @param unanswered number of requests that were read and not answered before
     */
    static void add(ChannelPipeline connection, int unanswered) {
        connection.addAfter(ENCODER, null, new PipelineLimit(unanswered));
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
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        pauseOrResume(context);
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof LastHttpContent && !isInformational(message)) {
            // Requests that the router rejected before the limit was added are not counted.
            unanswered = Math.max(0, unanswered - 1);
            pauseOrResume(context);
        }
        context.write(message, promise);
    }

    private static boolean isInformational(Object message) {
        return message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    }

    private void pauseOrResume(ChannelHandlerContext context) {
        if (unanswered > MAX_UNANSWERED || !context.channel().isWritable()) {
            paused = true;
            context.channel().config().setAutoRead(false);
        } else if (paused) {
            paused = false;
            context.channel().config().setAutoRead(true);
        }
    }
}
