// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static io.quorumlock.http.BadInput.HELD;
import static io.quorumlock.http.BadInput.HOLDER;
import static io.quorumlock.http.BadInput.STRANGER;
import static io.quorumlock.http.BadInput.badRequest;
import static io.quorumlock.http.RawRequest.delete;
import static io.quorumlock.http.RawRequest.get;
import static io.quorumlock.http.RawRequest.post;
import static io.quorumlock.http.RawRequest.put;

import java.util.stream.Stream;

/** Invalid requests for a release that keeps the lock, and for a forced release. None of them changes the lock. */
final class BadForce {
    private static final String FORCE = HELD + "?force=true&reason=";

    private BadForce() {}

    static Stream<BadInput> rows() {
        return Stream.of(forceValues(), reasons(), bodies(), keeps(), others()).flatMap(rows -> rows);
    }

    private static Stream<BadInput> forceValues() {
        return Stream.of("maybe", "TRUE", "True", "1", "0", "yes", "on", "", "%20true", "true,true", "null")
                .map(value -> badRequest("force " + value, delete(HELD + "?reason=r&force=" + value)));
    }

    private static Stream<BadInput> reasons() {
        return Stream.of(
                        "",
                        "%20",
                        "%e2%80%83",
                        "a%0ab",
                        "a%0d%0ab",
                        "a%00b",
                        "a%09b",
                        "%1b%5b31m",
                        "a%7fb",
                        "a%c2%85b",
                        "a%e2%80%a8b",
                        "a%e2%80%aeb",
                        "%ef%bb%bfa",
                        "%ff",
                        "%ed%a0%80",
                        "%",
                        "r".repeat(257),
                        "r".repeat(5_000),
                        "r&reason=r",
                        "r&force=true")
                .map(reason -> badRequest("the reason " + reason, delete(FORCE + reason)));
    }

    private static Stream<BadInput> bodies() {
        return Stream.of(
                        "{\"force\":true}",
                        "{\"force\":\"true\",\"reason\":\"r\"}",
                        "{\"force\":1,\"reason\":\"r\"}",
                        "{\"force\":null,\"reason\":\"r\"}",
                        "{\"force\":[true],\"reason\":\"r\"}",
                        "{\"force\":true,\"reason\":7}",
                        "{\"force\":true,\"reason\":true}",
                        "{\"force\":true,\"reason\":\"\"}",
                        "{\"force\":true,\"reason\":\"a\\nb\"}",
                        "{\"force\":true,\"reason\":\"\\ud800\"}",
                        "{\"force\":false,\"reason\":\"r\"}",
                        "{\"force\":true,\"force\":true,\"reason\":\"r\"}",
                        "{\"force\":true,\"reason\":\"r\",\"ttlMs\":6000}")
                .map(body -> badRequest("the body " + body, delete(HELD).json(body)));
    }

    private static Stream<BadInput> keeps() {
        return Stream.of("-1", "60001", "1.5", "1s", "", "99999999999999999999", "1&keepMs=1")
                .map(keep -> badRequest(
                        "keepMs " + keep, delete(HELD + "?keepMs=" + keep).token(HOLDER)));
    }

    private static Stream<BadInput> others() {
        return Stream.of(
                badRequest("force with keepMs", delete(FORCE + "r&keepMs=1")),
                badRequest("keepMs without a token", delete(HELD + "?keepMs=1")),
                badRequest(
                        "keepMs for an extension",
                        put(HELD + "/extend?keepMs=1").token(HOLDER)),
                badRequest("no reason", delete(HELD + "?force=true")),
                badRequest("a reason without force", delete(HELD + "?reason=r")),
                badRequest("a reason for a release", delete(HELD + "?reason=r").token(HOLDER)),
                badRequest("no force and no token", delete(HELD + "?force=false")),
                badRequest("force with a token", delete(FORCE + "r").token(HOLDER)),
                badRequest("force with an unknown token", delete(FORCE + "r&token=" + STRANGER)),
                badRequest(
                        "force with a token in the body", delete(FORCE + "r").json("{\"token\":\"" + HOLDER + "\"}")),
                badRequest("force twice", delete(FORCE + "r").json("{\"force\":true}")),
                badRequest("two reasons", delete(FORCE + "r").json("{\"reason\":\"s\"}")),
                badRequest("force for an acquire", post(HELD + "?force=true&reason=r")),
                badRequest(
                        "force for an extension",
                        put(HELD + "/extend?force=true&reason=r").token(HOLDER)),
                badRequest("force for an inspection", get(HELD + "?force=true&reason=r")),
                BadInput.badName("force without a name", delete("/locks/?force=true&reason=r")),
                new BadInput("a free lock", delete("/locks/bad/free?force=true&reason=r"), 404, "lease-not-found"),
                new BadInput(
                        "no force, and an unknown token",
                        delete(HELD + "?force=false").token(STRANGER),
                        409,
                        "not-owner"));
    }
}
