// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static io.quorumlock.rest.BadInput.badRequest;
import static io.quorumlock.rest.RawRequest.get;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import java.util.Base64;
import java.util.stream.Stream;

/** Invalid requests for the list of locks. */
final class BadLists {
    private static final String CURSOR = Cursor.write(new ResourcePrefix("bad"), new ResourceName("bad/held"));

    private BadLists() {}

    static Stream<BadInput> rows() {
        return Stream.of(limits(), prefixes(), cursors(), others()).flatMap(rows -> rows);
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
                        "9".repeat(5_000),
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
                        "a%e2%80%a8",
                        "%ff",
                        "%c3",
                        "%ed%a0%80",
                        "%c0%af",
                        "%",
                        "%zz",
                        "a#b",
                        "n".repeat(513),
                        "%c3%a9".repeat(256) + "x",
                        "a&prefix=a",
                        "a&prefix=b")
                .map(prefix -> badRequest("the prefix " + prefix, get("/locks?prefix=" + prefix)));
    }

    private static Stream<BadInput> cursors() {
        byte[] bytes = Base64.getUrlDecoder().decode(CURSOR);
        return Stream.of(
                        "",
                        "x",
                        "AA",
                        "null",
                        "0",
                        "=",
                        "%00",
                        "*",
                        CURSOR + "=",
                        CURSOR + "A",
                        CURSOR.substring(1),
                        CURSOR.substring(0, CURSOR.length() - 2),
                        "x".repeat(10_000),
                        base64("bad/held"),
                        Base64.getEncoder().encodeToString(bytes).replace("+", "%2B") + "%3D",
                        changed(bytes, 0, 0),
                        changed(bytes, 0, 2),
                        changed(bytes, 1, bytes[1] + 1),
                        changed(bytes, 8, bytes[8] + 1),
                        changed(bytes, bytes.length - 1, 'x'),
                        changed(bytes, bytes.length - 1, 0xff),
                        Cursor.write(new ResourcePrefix(""), new ResourceName("bad/held")),
                        Cursor.write(new ResourcePrefix("bad/"), new ResourceName("bad/held")),
                        CURSOR + "&cursor=" + CURSOR)
                .map(cursor -> badRequest("the cursor " + cursor, get("/locks?prefix=bad&cursor=" + cursor)));
    }

    private static Stream<BadInput> others() {
        return Stream.of(
                badRequest("a cursor without its prefix", get("/locks?cursor=" + CURSOR)),
                badRequest("an unknown field", get("/locks?resource=a")),
                badRequest("a token", get("/locks?token=" + BadInput.STRANGER)),
                badRequest("a parameter in another case", get("/locks?Prefix=a")),
                badRequest("a limit that is a string", get("/locks").json("{\"limit\":\"5\"}")),
                badRequest("a limit that is true", get("/locks").json("{\"limit\":true}")),
                badRequest("a prefix that is a number", get("/locks").json("{\"prefix\":5}")),
                badRequest("contradictory limits", get("/locks?limit=5").json("{\"limit\":6}")),
                badRequest("a body that is not JSON", get("/locks").json("x")));
    }

    private static String changed(byte[] bytes, int at, int to) {
        byte[] copy = bytes.clone();
        copy[at] = (byte) to;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(copy);
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes());
    }
}
