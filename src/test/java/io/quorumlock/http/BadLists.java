// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.BadInput.badRequest;
import static io.quorumlock.http.RawRequest.get;

import java.util.stream.Stream;

/** Invalid requests for the list of locks. */
final class BadLists {
    private BadLists() {}

    static Stream<BadInput> rows() {
        return Stream.of(limits(), prefixes(), lastNames(), others()).flatMap(rows -> rows);
    }

    private static Stream<BadInput> limits() {
        return Stream.of(
                        "0",
                        "-1",
                        "1001",
                        "1.5",
                        "1e2",
                        "abc",
                        "",
                        "%2B5",
                        "05",
                        "0x5",
                        "%20",
                        "9223372036854775808",
                        "4294967297",
                        "9".repeat(500),
                        "%D9%A5",
                        "5&limit=5",
                        "5&limit=6")
                .map(limit -> badRequest("limit " + limit, get("/locks?limit=" + limit)));
    }

    private static Stream<BadInput> prefixes() {
        return Stream.of(
                        "/",
                        "/a",
                        "a//",
                        "a//b",
                        "./",
                        "a/../",
                        "a/./b",
                        "%00",
                        "a%0ab",
                        "a%7f",
                        "a%c2%85",
                        "%ff",
                        "%c3",
                        "%ed%a0%80",
                        "%c0%af",
                        "%",
                        "%zz",
                        "n".repeat(513),
                        "%c3%a9".repeat(256) + "x",
                        "a&prefix=a",
                        "a&prefix=b")
                .map(prefix -> badRequest("the prefix " + prefix, get("/locks?prefix=" + prefix)));
    }

    private static Stream<BadInput> lastNames() {
        return Stream.of("", "/", "a//b", "a/", "a/../b", ".", "%00", "%ff", "n".repeat(513), "a&after=a")
                .map(name -> badRequest("after " + name, get("/locks?after=" + name)));
    }

    private static Stream<BadInput> others() {
        return Stream.of(
                badRequest("a cursor", get("/locks?cursor=x")),
                badRequest("an unknown field", get("/locks?resource=a")),
                badRequest("a token", get("/locks?token=" + BadInput.STRANGER)),
                badRequest("a parameter in another case", get("/locks?Prefix=a")));
    }
}
