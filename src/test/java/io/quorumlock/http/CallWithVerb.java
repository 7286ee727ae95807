// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import java.util.List;
import java.util.stream.Stream;

/**
 * A call of the service with the verb that it requires.
 *
 * @param statuses possible statuses for permitted callers
 */
record CallWithVerb(String verb, RawRequest request, List<Integer> statuses) {
    private static final String TOKEN = "token-of-nobody-at-all";

    static Stream<CallWithVerb> all() {
        return Stream.of(
                new CallWithVerb("acquire", RawRequest.post("/locks/secured/a?ttlMs=6000"), List.of(201, 423)),
                new CallWithVerb("acquire", RawRequest.post("/locks/secured/a?ttlMs=6000&waitMs=1"), List.of(201, 423)),
                new CallWithVerb(
                        "extend", RawRequest.put("/locks/secured/b/extend").token(TOKEN), List.of(404)),
                new CallWithVerb(
                        "release", RawRequest.delete("/locks/secured/b").token(TOKEN), List.of(404)),
                new CallWithVerb(
                        "release",
                        RawRequest.delete("/locks/secured/b").json("{\"token\":\"" + TOKEN + "\"}"),
                        List.of(404)),
                new CallWithVerb("force", RawRequest.delete("/locks/secured/b?force=true&reason=x"), List.of(404)),
                new CallWithVerb(
                        "force",
                        RawRequest.delete("/locks/secured/b").json("{\"force\":true,\"reason\":\"x\"}"),
                        List.of(404)),
                new CallWithVerb("read", RawRequest.get("/locks/secured/b"), List.of(404)),
                new CallWithVerb("read", RawRequest.get("/locks/secured/b/fence?token=1"), List.of(403)),
                new CallWithVerb("read", RawRequest.get("/nodes"), List.of(200)),
                new CallWithVerb("list", RawRequest.get("/locks?prefix=secured/"), List.of(200)),
                new CallWithVerb("list", RawRequest.get("/locks"), List.of(200)));
    }

    /** Returns the routes that answer with an endless stream. */
    static Stream<CallWithVerb> streams() {
        return Stream.of("/events", "/events?prefix=secured/", "/events?name=secured/a")
                .map(target -> new CallWithVerb("events", RawRequest.get(target), List.of(200)));
    }

    @Override
    public String toString() {
        return request.method() + " " + request.target() + (request.body().length == 0 ? "" : " with a body");
    }
}
