package io.quorumlock.rest;

import static io.quorumlock.rest.BadInput.badName;
import static io.quorumlock.rest.BadInput.nowhere;
import static io.quorumlock.rest.RawRequest.delete;
import static io.quorumlock.rest.RawRequest.get;
import static io.quorumlock.rest.RawRequest.post;
import static io.quorumlock.rest.RawRequest.put;

import java.util.stream.Stream;

/** Lists names that are none. */
final class BadNames {
    private BadNames() {}

    static Stream<BadInput> rows() {
        return Stream.of(
                badName("empty", post("/locks/")),
                badName("empty", get("/locks/")),
                badName("empty, with a query", post("/locks/?ttlMs=500")),
                badName("an empty segment first", post("/locks//a")),
                badName("an empty segment between", post("/locks/a//b")),
                badName("an empty segment last", post("/locks/a/")),
                badName("an escaped slash alone", post("/locks/%2F")),
                badName("an escaped slash last", delete("/locks/a%2f")),
                badName("a dot", post("/locks/.")),
                badName("two dots", post("/locks/..")),
                badName("a dot segment", post("/locks/a/./b")),
                badName("a way up", post("/locks/a/../b")),
                badName("a way out", get("/locks/../nodes")),
                badName("an escaped way up", post("/locks/%2e%2e/x")),
                badName("a half escaped way up", post("/locks/a/.%2E/b")),
                badName("a way up behind an escaped slash", post("/locks/a%2F..%2Fb")),
                badName("NUL", post("/locks/%00")),
                badName("NUL in a name", post("/locks/a%00b")),
                badName("a line break", post("/locks/a%0d%0ab")),
                badName("a header of its own", post("/locks/a%0d%0aLock-Token:%20x")),
                badName("a tab", post("/locks/a%09b")),
                badName("DEL", post("/locks/a%7fb")),
                badName("a control character of Latin 1", post("/locks/a%c2%85b")),
                badName("a line separator", post("/locks/a%e2%80%a8b")),
                badName("a lonely percent sign", post("/locks/%")),
                badName("half an escape", post("/locks/a%2")),
                badName("no hex digits", post("/locks/%zz")),
                badName("a sign for a digit", post("/locks/%-1")),
                badName("a broken escape", get("/locks/%c3%2")),
                badName("a broken escape", put("/locks/%/extend")),
                badName("half a character", post("/locks/%c3")),
                badName("a continuation alone", post("/locks/%80")),
                badName("no UTF-8", post("/locks/%ff%fe")),
                badName("no UTF-8, bare", post("/locks/\u00ff")),
                badName("an overlong slash", post("/locks/a%c0%afb")),
                badName("an overlong dot", post("/locks/%c0%ae%c0%ae/x")),
                badName("an overlong NUL", post("/locks/%c0%80")),
                badName("an overlong form of three bytes", post("/locks/%e0%80%af")),
                badName("a surrogate", post("/locks/%ed%a0%80")),
                badName("a pair of surrogates", post("/locks/%ed%a0%bd%ed%b8%80")),
                badName("beyond Unicode", post("/locks/%f4%90%80%80")),
                badName("a bare number sign", post("/locks/a#b")),
                badName("513 bytes", post("/locks/" + "n".repeat(513))),
                badName("513 bytes in fewer characters", post("/locks/" + "%c3%a9".repeat(256) + "x")),
                badName("20000 bytes", post("/locks/" + "n".repeat(20_000))),
                badName("extend of nothing", put("/locks/extend").token(BadInput.STRANGER)),
                badName("extend of an empty segment", put("/locks//extend").token(BadInput.STRANGER)),
                badName(
                        "extend of the reserved name",
                        put("/locks/a/extend/extend").token(BadInput.STRANGER)),
                nowhere(get("/./locks")),
                nowhere(get("/x/../locks")),
                nowhere(get("/%6cocks")),
                nowhere(get("/locks;a=1")),
                nowhere(get("/locks;a=1/x")),
                nowhere(post("/Locks/a")),
                nowhere(post("//locks/a")),
                nowhere(post("/./locks/a")),
                nowhere(post("/%6cocks/a")),
                nowhere(post("/x/../locks/a")),
                nowhere(get("/%")),
                nowhere(get("/")),
                nowhere(get("/index.html")),
                nowhere(get("/q/nothing")),
                nowhere(get("/problems/none")),
                nowhere(post("locks/a")),
                nowhere(get("*")));
    }
}
