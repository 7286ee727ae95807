// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.BadInput.HELD;
import static io.quorumlock.http.BadInput.HOLDER;
import static io.quorumlock.http.BadInput.OTHERS_HOLDER;
import static io.quorumlock.http.BadInput.SECRET;
import static io.quorumlock.http.BadInput.STRANGER;
import static io.quorumlock.http.BadInput.badRequest;
import static io.quorumlock.http.RawRequest.delete;
import static io.quorumlock.http.RawRequest.post;
import static io.quorumlock.http.RawRequest.put;

import java.util.Locale;
import java.util.stream.Stream;

/** Requests with missing, invalid or wrong tokens. */
final class BadTokens {
    private static final String FREE = "/locks/bad/free";
    private static final String EXTEND = HELD + "/extend";

    private BadTokens() {}

    static Stream<BadInput> rows() {
        return Stream.of(missing(), malformed(), repeated(), strangers()).flatMap(rows -> rows);
    }

    private static Stream<BadInput> missing() {
        return Stream.of(
                badRequest("no token", delete(HELD)),
                badRequest("no token", put(EXTEND)),
                badRequest("no token", put(EXTEND).json("{\"ttlMs\":6000}")),
                badRequest("an empty header", delete(HELD).token("")),
                badRequest("an empty query", delete(HELD + "?token=")),
                badRequest("a bare query", delete(HELD + "?token")),
                badRequest("an empty field", delete(HELD).json("{\"token\":\"\"}")),
                badRequest("another header", delete(HELD).header("Authorization", "Bearer " + HOLDER)),
                badRequest("another case", delete(HELD + "?Token=" + HOLDER)));
    }

    private static Stream<BadInput> malformed() {
        String longest = SECRET + "l".repeat(122);
        return Stream.of(
                badRequest("15 characters", delete(HELD).token(SECRET + "-15-chars")),
                badRequest("129 characters", delete(HELD).token(longest + "x")),
                badRequest("4000 characters", delete(HELD).token(SECRET.repeat(700))),
                badRequest("a space", delete(HELD).token(SECRET + " of the holder")),
                badRequest("an escaped space", delete(HELD + "?token=" + SECRET + "%20of%20the%20holder")),
                badRequest("NUL", delete(HELD + "?token=" + HOLDER + "%00")),
                badRequest("NUL", delete(HELD).json("{\"token\":\"" + HOLDER + "\\u0000\"}")),
                badRequest("a line break", delete(HELD + "?token=" + HOLDER + "%0d%0a")),
                badRequest("not ASCII", delete(HELD).token(HOLDER + "\u00e9")),
                badRequest("not ASCII", delete(HELD + "?token=" + HOLDER + "%C3%A9")),
                badRequest("a broken escape", delete(HELD + "?token=" + HOLDER + "%")),
                badRequest("a number", delete(HELD).json("{\"token\":12345678901234567890}")),
                badRequest("null", delete(HELD).json("{\"token\":null}")),
                badRequest("a list", delete(HELD).json("{\"token\":[\"" + HOLDER + "\"]}")),
                badRequest("too short to acquire", post(FREE).json("{\"token\":\"" + SECRET + "\"}")),
                badRequest("too long to acquire", post(FREE + "?token=" + longest + "x")),
                badRequest("not a text to acquire", post(FREE).json("{\"token\":true}")));
    }

    private static Stream<BadInput> repeated() {
        String both = "{\"token\":\"" + STRANGER + "\"}";
        return Stream.of(
                badRequest("two headers", delete(HELD).token(STRANGER).token(STRANGER)),
                badRequest(
                        "two headers that disagree", delete(HELD).token(HOLDER).token(STRANGER)),
                badRequest("two in one header", delete(HELD).token(HOLDER + ", " + HOLDER)),
                badRequest("two in the query", delete(HELD + "?token=" + STRANGER + "&token=" + STRANGER)),
                badRequest(
                        "header and query disagree",
                        delete(HELD + "?token=" + STRANGER).token(HOLDER)),
                badRequest(
                        "header and body disagree", delete(HELD).token(HOLDER).json(both)),
                badRequest(
                        "query and body disagree",
                        put(EXTEND + "?token=" + HOLDER).json(both)),
                badRequest("two in the body", put(EXTEND).json("{\"token\":\"" + HOLDER + "\",\"token\":\"x\"}")),
                badRequest(
                        "header and body disagree to acquire",
                        post(FREE).token(HOLDER).json(both)));
    }

    private static Stream<BadInput> strangers() {
        String quoted = "\"" + HOLDER + "\"";
        return Stream.of(
                new BadInput("unknown", delete(HELD).token(STRANGER), 409, "not-owner"),
                new BadInput("of another lock", delete(HELD).token(OTHERS_HOLDER), 409, "not-owner"),
                new BadInput("of another lock", put(EXTEND).token(OTHERS_HOLDER), 409, "not-owner"),
                new BadInput("in quotes", delete(HELD).token(quoted), 409, "not-owner"),
                new BadInput("in apostrophes", delete(HELD + "?token='" + HOLDER + "'"), 409, "not-owner"),
                new BadInput("in another case", delete(HELD).token(HOLDER.toUpperCase(Locale.ROOT)), 409, "not-owner"),
                new BadInput("truncated", delete(HELD).token(HOLDER.substring(0, 16)), 409, "not-owner"),
                new BadInput("with a suffix", delete(HELD).token(HOLDER + "x"), 409, "not-owner"),
                new BadInput("a pattern", delete(HELD).token(SECRET + "*-?-[a-z]-%s"), 409, "not-owner"),
                new BadInput("for a free lock", delete(FREE).token(HOLDER), 404, "lease-not-found"),
                new BadInput("for a free lock", put(FREE + "/extend").token(HOLDER), 404, "lease-not-found"),
                new BadInput(
                        "the holder's with another TTL",
                        post(HELD + "?ttlMs=6000").token(HOLDER),
                        409,
                        "token-in-use"),
                new BadInput("the holder's with another owner", holder("\"owner\":\"x\""), 409, "token-in-use"),
                new BadInput("another token", post(HELD).token(STRANGER), 423, "locked"));
    }

    private static RawRequest holder(String more) {
        return post(HELD).json("{\"ttlMs\":60000,\"token\":\"" + HOLDER + "\"," + more + "}");
    }
}
