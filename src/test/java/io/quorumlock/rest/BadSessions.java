// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static io.quorumlock.rest.BadInput.HELD;
import static io.quorumlock.rest.BadInput.STRANGER;
import static io.quorumlock.rest.BadInput.badName;
import static io.quorumlock.rest.BadInput.badRequest;
import static io.quorumlock.rest.RawRequest.post;

import java.util.stream.Stream;

/** Invalid requests for sessions and heartbeats. */
final class BadSessions {
    private static final String SESSION = "/locks/bad/session-of/session";

    private BadSessions() {}

    static Stream<BadInput> rows() {
        return Stream.of(queries(), bodies(), beats(), others()).flatMap(rows -> rows);
    }

    private static Stream<BadInput> queries() {
        return Stream.of(
                        "beatMs=",
                        "beatMs=0",
                        "beatMs=-1",
                        "beatMs=999",
                        "beatMs=60001",
                        "beatMs=1e4",
                        "beatMs=3000.0",
                        "beatMs=03000",
                        "beatMs=3000&beatMs=3000",
                        "beatMs=9223372036854775808",
                        "beatms=3000",
                        "whenGone=",
                        "whenGone=Release",
                        "whenGone=RELEASE",
                        "whenGone=keep",
                        "whenGone=true",
                        "whenGone=expire&whenGone=release",
                        "onGone=release",
                        "ttlMs=99",
                        "waitMs=10001",
                        "minValidityMs=29699",
                        "token=short",
                        "owner=",
                        "force=true")
                .map(query -> badRequest("a session ?" + query, post(SESSION + "?" + query)));
    }

    private static Stream<BadInput> bodies() {
        return Stream.of(
                        "{\"beatMs\":\"3000\"}",
                        "{\"beatMs\":null}",
                        "{\"beatMs\":true}",
                        "{\"beatMs\":1000.5}",
                        "{\"beatMs\":[3000]}",
                        "{\"whenGone\":1}",
                        "{\"whenGone\":null}",
                        "{\"whenGone\":\"\"}",
                        "{\"whenGone\":{\"release\":true}}",
                        "{\"ttlMs\":1.5}",
                        "{",
                        "[]")
                .map(body -> badRequest("a session with " + body, post(SESSION).json(body)));
    }

    private static Stream<BadInput> beats() {
        return Stream.of(
                badRequest("no token", post(SESSION + "/beat")),
                badRequest("a short token", post(SESSION + "/beat").token("short")),
                badRequest("an unknown field", post(SESSION + "/beat?ttlMs=500").token(STRANGER)),
                badRequest(
                        "a body that is not JSON",
                        post(SESSION + "/beat").token(STRANGER).json("x")),
                badRequest(
                        "two tokens",
                        post(SESSION + "/beat").token(STRANGER).json("{\"token\":\"" + STRANGER + "2\"}")),
                new BadInput(
                        "a heartbeat for a free lock",
                        post(SESSION + "/beat").token(STRANGER),
                        404,
                        "session-not-found"),
                new BadInput(
                        "a heartbeat with another token",
                        post(HELD + "/session/beat").token(STRANGER),
                        404,
                        "session-not-found"));
    }

    private static Stream<BadInput> others() {
        return Stream.of(
                new BadInput("a held lock", post(HELD + "/session"), 423, "locked"),
                badRequest("two values", post(SESSION + "?beatMs=3000").json("{\"beatMs\":3001}")),
                badName("a session without a name", post("/locks/session")),
                badName(
                        "a heartbeat without a name",
                        post("/locks/session/beat").token(STRANGER)),
                badName("a session below extend", post("/locks/a/extend/session")),
                new BadInput("a large body", post(SESSION).json(" ".repeat(16 * 1024 + 1)), 413, "body-too-large"));
    }
}
