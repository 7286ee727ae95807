// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.fleet.Fleet;
import io.quorumlock.core.fleet.ServerStatus;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.Lease.Votes;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Listing;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Answers of outcomes, each checked against the contract. */
public abstract class OutcomeAnswers {
    static final ResourceName RESOURCE = new ResourceName("orders/é 1");
    static final Votes VOTES = new Votes(4, 3, 5);
    static final Lease LEASE = new Lease(
            ResourceNames.of(RESOURCE),
            new LeaseToken("the-token-of-the-lease"),
            new FencingToken(9_007_199_254_740_991L),
            Duration.ofSeconds(30),
            Duration.ofNanos(29_695_999_999L),
            Duration.ofNanos(2_000_001),
            Duration.ZERO,
            OptionalInt.of(1000),
            VOTES,
            OptionalInt.empty());

    final List<ServerStatus> servers = new ArrayList<>();
    final OutcomeMapper table =
            new OutcomeMapper(Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC), fleet(servers));
    private final AnswerWriter writer = ContractJson.writer();
    private final OpenApiContract contract = OpenApiContract.load();

    /** Returns a fleet of three with these servers. */
    public static Fleet fleet(List<ServerStatus> servers) {
        return new Fleet() {
            @Override
            public List<ServerStatus> servers() {
                return servers;
            }

            @Override
            public int quorum() {
                return 2;
            }
        };
    }

    static void assertNoQuorum(RawAnswer answer, String outcome) {
        assertEquals(503, answer.status());
        assertEquals("no-quorum", answer.slug());
        assertEquals("1", answer.header("Retry-After"));
        assertEquals(outcome, answer.json().get("outcome").asText());
        assertEquals(
                "{\"up\":2,\"required\":3,\"total\":5}",
                answer.json().get("nodes").toString());
    }

    final RawAnswer acquired(Acquisition outcome) {
        return write("POST", "/locks/a", table.acquisition(outcome));
    }

    final RawAnswer extended(Extension outcome) {
        return write("PUT", "/locks/a/extend", table.extension(outcome));
    }

    final RawAnswer released(Release outcome) {
        return write("DELETE", "/locks/a", table.release(outcome));
    }

    final RawAnswer inspected(Inspection outcome) {
        return write("GET", "/locks/a", table.inspection(outcome, any -> true, 2));
    }

    final RawAnswer fenceChecked(Inspection outcome, String token) {
        return write("GET", "/locks/a/fence", table.fence(outcome, Optional.of(token)));
    }

    final RawAnswer forced(ForcedRelease outcome) {
        return write("DELETE", "/locks/a", table.forcedRelease(outcome));
    }

    final RawAnswer listed(Listing outcome) {
        return write("GET", "/locks", table.listing(outcome, any -> true));
    }

    private RawAnswer write(String method, String path, Answer answer) {
        String body = answer.body()
                .map(json -> new String(writer.bytes(json), StandardCharsets.UTF_8))
                .orElse("");
        RawAnswer written = new RawAnswer(
                answer.status(),
                answer.with("Content-Type", answer.contentType()).headers(),
                body);
        contract.check(method, path, written.status(), written.headers(), written.body());
        return written;
    }
}
