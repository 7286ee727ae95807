// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.BadInput.HELD;
import static io.quorumlock.http.BadInput.HOLDER;
import static io.quorumlock.http.BadInput.STRANGER;
import static io.quorumlock.http.BadInput.badRequest;
import static io.quorumlock.http.RawRequest.delete;
import static io.quorumlock.http.RawRequest.post;
import static io.quorumlock.http.RawRequest.put;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Invalid requests for several locks. None of them takes or changes a lock. */
final class BadSets {
    private BadSets() {}

    static Stream<BadInput> rows() {
        return Stream.of(names(), queries(), others()).flatMap(rows -> rows);
    }

    private static Stream<BadInput> names() {
        return Stream.of(
                        "[]",
                        "[\"bad/a\",\"bad/a\"]",
                        "[\"bad/a\",\"\"]",
                        "[\"bad/a\",\"..\"]",
                        "[\"bad/a\",\"bad/extend\"]",
                        "[\"bad/a\",\"b//c\"]",
                        "[\"bad/a\",\"b\\u0000\"]",
                        "[\"bad/a\",\"b\\ud800\"]",
                        "[\"bad/a\",\"" + "b".repeat(513) + "\"]",
                        "[\"bad/a\",7]",
                        "[\"bad/a\",null]",
                        "[\"bad/a\",[\"bad/b\"]]",
                        "[\"bad/a\",{\"bad\":\"b\"}]",
                        "\"bad/a\"",
                        "{\"0\":\"bad/a\"}",
                        "null",
                        many(33))
                .map(names -> badRequest(
                        "the names " + names, post("/locks").token(STRANGER).json("{\"names\":" + names + "}")));
    }

    private static String many(int count) {
        return IntStream.range(0, count).mapToObj(i -> "\"bad/" + i + "\"").collect(Collectors.joining(",", "[", "]"));
    }

    private static Stream<BadInput> queries() {
        return Stream.of(
                        "",
                        "?names=",
                        "?names=bad/a&names=bad/a",
                        "?names=%ff",
                        "?names=bad/a&names=extend",
                        "?names=bad/a&x=1",
                        "?name=bad/a")
                .flatMap(query -> Stream.of(
                                post("/locks" + query), put("/locks/extend" + query), delete("/locks" + query))
                        .map(request -> badRequest("the query " + query, request.token(STRANGER))));
    }

    private static Stream<BadInput> others() {
        return Stream.of(
                badRequest("names twice", post("/locks?names=bad/a").json("{\"names\":[\"bad/b\"]}")),
                badRequest("names for one lock", post(HELD + "?names=bad/a").token(HOLDER)),
                badRequest(
                        "names for one lock", put(HELD + "/extend?names=bad/a").token(HOLDER)),
                badRequest("names for one lock", delete(HELD + "?names=bad/a").token(HOLDER)),
                badRequest("names for a session", post("/sessions/bad/a?names=bad/b")),
                badRequest("force for a set", delete("/locks?names=bad/held&names=bad/b&force=true&reason=r")),
                badRequest("no token", delete("/locks?names=bad/held&names=bad/b")),
                new BadInput(
                        "a held name", post("/locks?names=bad/held&names=bad/b").token(STRANGER), 423, "locked"),
                new BadInput(
                        "more than the holder's",
                        post("/locks?names=bad/held&names=bad/b&ttlMs=60000").token(HOLDER),
                        409,
                        "token-in-use"),
                new BadInput(
                        "more than the holder's",
                        delete("/locks?names=bad/held&names=bad/b").token(HOLDER),
                        404,
                        "lease-not-found"),
                new BadInput("of a stranger", delete("/locks?names=bad/held").token(STRANGER), 409, "not-owner"));
    }
}
