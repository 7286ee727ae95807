// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.BadInput.badRequest;
import static io.quorumlock.http.RawRequest.post;

import java.util.stream.Stream;

/** Invalid requests for sessions. */
final class BadSessions {
    private static final String SESSION = "/sessions/bad/session-of";

    private BadSessions() {}

    static Stream<BadInput> rows() {
        return Stream.of(queries(), bodies(), others()).flatMap(rows -> rows);
    }

    private static Stream<BadInput> queries() {
        return Stream.of(
                        "beatMs=3000",
                        "whenGone=release",
                        "ttlMs=",
                        "ttlMs=99",
                        "waitMs=-1",
                        "token=short",
                        "owner=",
                        "force=true")
                .map(query -> badRequest("a session ?" + query, post(SESSION + "?" + query)));
    }

    private static Stream<BadInput> bodies() {
        return Stream.of("{\"ttlMs\":\"6000\"}", "{\"ttlMs\":null}", "{\"ttlMs\":1.5}", "{", "[]")
                .map(body -> badRequest("a session with " + body, post(SESSION).json(body)));
    }

    private static Stream<BadInput> others() {
        return Stream.of(
                new BadInput("a held lock", post("/sessions/bad/held"), 423, "locked"),
                badRequest("two values", post(SESSION + "?ttlMs=6000").json("{\"ttlMs\":6001}")));
    }
}
