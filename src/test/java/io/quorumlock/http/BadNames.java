// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.BadInput.badName;
import static io.quorumlock.http.BadInput.unknownPath;
import static io.quorumlock.http.RawRequest.get;
import static io.quorumlock.http.RawRequest.post;
import static io.quorumlock.http.RawRequest.put;

import java.util.stream.Stream;

/** Invalid names of locks. */
final class BadNames {
    private BadNames() {}

    static Stream<BadInput> rows() {
        return Stream.of(
                badName("empty", post("/locks/")),
                badName("empty", get("/locks/")),
                badName("empty, with a query", post("/locks/?ttlMs=6000")),
                badName("an empty segment first", post("/locks//a")),
                badName("an empty segment between", post("/locks/a//b")),
                badName("an empty segment last", post("/locks/a/")),
                badName("only an escaped slash", post("/locks/%2F")),
                badName("an escaped slash last", get("/locks/a%2f")),
                badName("a dot", post("/locks/.")),
                badName("two dots", post("/locks/..")),
                badName("a dot segment", post("/locks/a/./b")),
                badName("a parent segment", post("/locks/a/../b")),
                badName("a parent segment outside /locks", get("/locks/../nodes")),
                badName("an escaped parent segment", post("/locks/%2e%2e/x")),
                badName("a partly escaped parent segment", post("/locks/a/.%2E/b")),
                badName("a parent segment after an escaped slash", post("/locks/a%2F..%2Fb")),
                badName("NUL", post("/locks/%00")),
                badName("NUL in a name", post("/locks/a%00b")),
                badName("a line break", post("/locks/a%0d%0ab")),
                badName("an injected header", post("/locks/a%0d%0aLock-Token:%20x")),
                badName("a tab", post("/locks/a%09b")),
                badName("DEL", post("/locks/a%7fb")),
                badName("a control character of Latin 1", post("/locks/a%c2%85b")),
                badName("U+FFFD", post("/locks/%ef%bf%bd")),
                badName("matrix parameters", post("/locks/a;b=1")),
                badName("not ASCII, not escaped", post("/locks/caf\u00c3\u00a9")),
                badName("only a percent sign", post("/locks/%")),
                badName("an incomplete escape", post("/locks/a%2")),
                badName("invalid hex digits", post("/locks/%zz")),
                badName("a sign instead of a digit", post("/locks/%-1")),
                badName("a broken escape", get("/locks/%c3%2")),
                badName("a broken escape", put("/locks/%/extend")),
                badName("an incomplete UTF-8 character", post("/locks/%c3")),
                badName("only a continuation byte", post("/locks/%80")),
                badName("invalid UTF-8", post("/locks/%ff%fe")),
                badName("invalid UTF-8, not escaped", post("/locks/\u00ff")),
                badName("an overlong slash", post("/locks/a%c0%afb")),
                badName("an overlong dot", post("/locks/%c0%ae%c0%ae/x")),
                badName("an overlong NUL", post("/locks/%c0%80")),
                badName("an overlong form of three bytes", post("/locks/%e0%80%af")),
                badName("a surrogate", post("/locks/%ed%a0%80")),
                badName("a pair of surrogates", post("/locks/%ed%a0%bd%ed%b8%80")),
                badName("beyond the last code point", post("/locks/%f4%90%80%80")),
                badName("an unescaped number sign", post("/locks/a#b")),
                badName("513 bytes", post("/locks/" + "n".repeat(513))),
                badName("513 bytes in fewer characters", post("/locks/" + "%c3%a9".repeat(256) + "x")),
                badName("5000 bytes", post("/locks/" + "n".repeat(5_000))),
                badName("extend of an empty segment", put("/locks//extend").token(BadInput.STRANGER)),
                badName("extend of extend", put("/locks/a/extend/extend").token(BadInput.STRANGER)),
                badName("a session of extend", post("/sessions/a/extend")),
                badName("a session of fence", post("/sessions/a/fence")),
                badName("a fence of fence", get("/locks/a/fence/fence?token=1")),
                badName("a session without a name", post("/sessions/")),
                badName("a session of a parent segment", post("/sessions/a/../b")),
                badName("a session with invalid UTF-8", post("/sessions/%ff")),
                badName("a dot segment before", get("/./locks")),
                badName("a parent segment before", get("/x/../locks")),
                badName("matrix parameters before", get("/locks;a=1/x")),
                badName("an empty segment before", post("//locks/a")),
                badName("a parent segment before", post("/x/../locks/a")),
                badName("only a percent sign", get("/%")),
                unknownPath(post("locks/a")),
                unknownPath(get("*")),
                unknownPath(post("/Locks/a")),
                unknownPath(get("/index.html")),
                unknownPath(get("/q/nothing")),
                unknownPath(get("/problems/none")));
    }
}
