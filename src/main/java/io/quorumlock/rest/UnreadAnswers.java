// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The limit of large answers that the client of one HTTP/2 connection has not read (R14): lists, metrics and files. Each stream
 * has a flow control window of its own, which the client may keep closed. Answers about one lock are small. Used on the event
 * loop of the connection.
 */
final class UnreadAnswers {
    static final int MAX = 8;
    private static final AttributeKey<UnreadAnswers> OF_CONNECTION =
            AttributeKey.valueOf(UnreadAnswers.class, "of connection");

    private final List<HttpServerResponse> unread = new ArrayList<>();

    private UnreadAnswers() {}

    /** Counts a request with a large answer. */
    static void count(RoutingContext request) {
        if (request.request().connection() instanceof ConnectionBase connection) {
            connection.channel().attr(OF_CONNECTION).setIfAbsent(new UnreadAnswers());
            connection.channel().attr(OF_CONNECTION).get().add(request.response());
        }
    }

    /** @throws ProblemException if too many earlier answers are unread */
    private void add(HttpServerResponse response) {
        unread.removeIf(HttpServerResponse::closed);
        if (unread.size() >= MAX) {
            throw new ProblemException(Problems.tooManyUnreadAnswers(MAX));
        }
        unread.add(response);
    }
}
