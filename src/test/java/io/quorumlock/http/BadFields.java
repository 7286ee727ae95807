// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.BadInput.badRequest;
import static io.quorumlock.http.RawRequest.get;
import static io.quorumlock.http.RawRequest.post;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** Requests with invalid fields or bodies. */
final class BadFields {
    private BadFields() {}

    static Stream<BadInput> rows() {
        return Stream.of(ttls(), queries(), bodies(), others()).flatMap(rows -> rows);
    }

    private static Stream<BadInput> ttls() {
        return Stream.of(
                        "0",
                        "-1",
                        "-0",
                        "99",
                        "60001",
                        "1.5",
                        "6000.0",
                        "6e3",
                        "6E3",
                        "\"6000\"",
                        "\"10\"",
                        "true",
                        "false",
                        "null",
                        "[6000]",
                        "{\"ttlMs\":6000}",
                        "2147483648",
                        "4294973296",
                        "9007199254740993",
                        "9223372036854775807",
                        "9223372036854775808",
                        "18446744073709557616",
                        "1e309",
                        "-1e309",
                        "9".repeat(5000))
                .map(ttl -> badRequest("ttlMs " + ttl, body("{\"ttlMs\":" + ttl + "}")));
    }

    private static Stream<BadInput> queries() {
        return Stream.of(
                        "ttlMs=",
                        "ttlMs",
                        "ttlMs=0",
                        "ttlMs=-6000",
                        "ttlMs=+6000",
                        "ttlMs=%2B6000",
                        "ttlMs=6e3",
                        "ttlMs=6000.0",
                        "ttlMs=06000",
                        "ttlMs=%206000",
                        "ttlMs=0x1770",
                        "ttlMs=null",
                        "ttlMs=9223372036854775808",
                        "ttlMs=%D9%A6%D9%A0%D9%A0%D9%A0",
                        "ttlMs=6000&ttlMs=6000",
                        "ttlMs=6000&ttlMs=7000",
                        "ttlms=6000",
                        "ttl=6000",
                        "%74tlMs=600000",
                        "waitMs=-1",
                        "waitMs=1.0",
                        "owner=",
                        "owner=%00",
                        "owner=a%0Ab",
                        "owner=%ff",
                        "owner=%",
                        "owner=" + "o".repeat(129),
                        "force=true",
                        "x=%zz",
                        "=1",
                        "%=1",
                        ";",
                        "ttlMs=6000;waitMs=0")
                .map(query -> badRequest("?" + query, post("/locks/bad/query?" + query)));
    }

    private static Stream<BadInput> bodies() {
        return Stream.of(
                        " ",
                        "x",
                        "null",
                        "1",
                        "\"ttlMs\"",
                        "[]",
                        "[{\"ttlMs\":6000}]",
                        "{",
                        "{\"ttlMs\":6000",
                        "{\"ttlMs\":6000,}",
                        "{ttlMs:6000}",
                        "{'ttlMs':6000}",
                        "{\"ttlMs\":6000}}",
                        "{\"ttlMs\":6000} x",
                        "{}{}",
                        "{}\u0000",
                        "{\"ttlMs\":0500}",
                        "{\"ttlMs\":NaN}",
                        "{\"ttlMs\":6000,\"ttlMs\":6000}",
                        "{\"ttlMs\":6000,\"ttl\\u004ds\":7000}",
                        "{\"ttlms\":6000}",
                        "{\"unknown\":1}",
                        "{\"\":1}",
                        "{\"__proto__\":{}}",
                        "{\"resource\":\"a\"}",
                        "{\"owner\":7}",
                        "{\"owner\":\"\"}",
                        "{\"owner\":\"a\\u0000b\"}",
                        "{\"owner\":\"\\ud800\"}",
                        "{\"owner\":[\"a\"]}",
                        "{\"waitMs\":\"0\"}",
                        "{\"options\":{\"ttlMs\":6000}}",
                        "{\"a\":" + "[".repeat(8000) + "]".repeat(8000) + "}",
                        "[".repeat(16_000),
                        "ttlMs=6000",
                        "<ttlMs>6000</ttlMs>",
                        "// {}",
                        "\ufeff{}")
                .map(body -> badRequest("the body " + body, body(body)));
    }

    private static Stream<BadInput> others() {
        byte[] latin = "{\"owner\":\"é\"}".getBytes(StandardCharsets.ISO_8859_1);
        byte[] wide = "{\"ttlMs\":6000}".getBytes(StandardCharsets.UTF_16);
        byte[] zipped = {31, -117, 8, 0, 0, 0, 0, 0, 0, 3, -85, -82, 5, 0, 67, -65, -90, -93, 2, 0, 0, 0};
        return Stream.of(
                badRequest("Latin 1", post("/locks/bad/body").bytes(latin)),
                badRequest("UTF-16", post("/locks/bad/body").bytes(wide)),
                badRequest(
                        "gzip",
                        post("/locks/bad/body")
                                .header("Content-Encoding", "gzip")
                                .bytes(zipped)),
                badRequest("two values", post("/locks/bad/body?ttlMs=6000").json("{\"ttlMs\":6000}")),
                badRequest("a parameter unknown to inspect", get("/locks/bad/query?ttlMs=6000")),
                badRequest("a parameter unknown to nodes", get("/nodes?verbose=true")));
    }

    private static RawRequest body(String text) {
        return post("/locks/bad/body").json(text);
    }
}
