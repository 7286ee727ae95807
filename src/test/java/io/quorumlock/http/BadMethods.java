// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.BadInput.HOLDER;

import java.util.stream.Stream;

/** Methods that a path does not allow, and content types that are ignored. */
final class BadMethods {
    private BadMethods() {}

    static Stream<BadInput> rows() {
        return Stream.of(methods(), contentTypes()).flatMap(rows -> rows);
    }

    private static Stream<BadInput> methods() {
        Stream<RawRequest> locks = Stream.of("PUT", "PATCH", "TRACE", "CONNECT", "LOCK", "UNLOCK", "post", "X")
                .map(method -> RawRequest.of(method, "/locks/bad/held").token(HOLDER));
        Stream<RawRequest> extensions = Stream.of("GET", "POST", "DELETE", "PATCH", "X")
                .map(method -> RawRequest.of(method, "/locks/bad/held/extend").token(HOLDER));
        Stream<RawRequest> fences = Stream.of("POST", "PUT", "DELETE", "PATCH", "X")
                .map(method -> RawRequest.of(method, "/locks/bad/held/fence").token(HOLDER));
        Stream<RawRequest> escaped = Stream.of(
                RawRequest.put("/locks/a%2Fextend").token(HOLDER),
                RawRequest.post("/locks/a%2Fextend"),
                RawRequest.get("/locks/%65xtend"));
        Stream<RawRequest> others = Stream.of("POST", "PUT", "DELETE")
                .flatMap(method ->
                        Stream.of("/nodes", "/problems/locked", "/events").map(path -> RawRequest.of(method, path)));
        Stream<RawRequest> sets = Stream.of(
                RawRequest.of("PUT", "/locks"),
                RawRequest.of("PATCH", "/locks"),
                RawRequest.of("POST", "/locks/extend"));
        Stream<RawRequest> sessions =
                Stream.of("PUT", "GET", "DELETE", "PATCH").map(method -> RawRequest.of(method, "/sessions/bad/held"));
        return Stream.of(locks, extensions, fences, escaped, others, sets, sessions)
                .flatMap(requests -> requests)
                .map(BadInput::badMethod);
    }

    private static Stream<BadInput> contentTypes() {
        Stream<String> types = Stream.of(
                "application/json",
                "application/x-www-form-urlencoded",
                "multipart/form-data",
                "multipart/form-data; boundary=x",
                "text/plain; charset=utf-16",
                "application/xml",
                "application/json; charset=latin1",
                ";;;@@",
                "",
                "json");
        Stream<BadInput> typed = types.map(type -> BadInput.fine(
                "content type " + type,
                RawRequest.post("/locks/bad/label").header("Content-Type", type).json("{\"ttlMs\":6000}")));
        Stream<BadInput> accepting = Stream.of("text/html", "application/xml;q=1, */*;q=0", "@,;", "")
                .map(accept -> BadInput.fine(
                        "accepting " + accept,
                        RawRequest.post("/locks/bad/label").header("Accept", accept)));
        return Stream.concat(typed, accepting);
    }
}
