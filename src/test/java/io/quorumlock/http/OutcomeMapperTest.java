// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerStatus;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.Inspection.HolderState;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.NoQuorumReason;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.Release.Holder;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of outcomes. Each answer is checked against the contract, including those that need faults. */
@Proves("R15")
class OutcomeMapperTest extends OutcomeAnswers {
    ;
    private static final String LEASE_JSON = "{\"resource\":\"orders/é 1\",\"token\":\"the-token-of-the-lease\","
            + "\"fencingToken\":9007199254740991,"
            + "\"ttlMs\":30000,\"validityMs\":29695,\"elapsedMs\":2,\"expiresAt\":\"2026-01-02T03:04:34.695Z\","
            + "\"extensionsLeft\":1000,\"votes\":{\"granted\":4,\"required\":3,\"total\":5}}";

    @Test
    void mapsAcquiredToCreatedWithLocation() {
        RawAnswer answer = acquired(new Acquisition.Acquired(LEASE));
        assertEquals(201, answer.status());
        assertEquals("/locks/orders/%C3%A9%201", answer.header("Location"));
        assertEquals("no-store", answer.header("Cache-Control"));
        assertEquals(LEASE_JSON, answer.body());
    }

    @Test
    void namesMasterThatAnswersTooLate() {
        servers.add(away(
                "node-2",
                ServerFailure.SLOW,
                "answers after 62 ms, QUORUMLOCK_NODE_TIMEOUT is 50ms; write 200ms",
                Optional.empty()));
        RawAnswer answer = inspected(new Inspection.NoQuorum(new NoQuorumReason(2, 3, 5, Effect.NONE)));
        assertEquals(
                "2 of 5 masters answered, 3 are required. node-2 answers after 62 ms, QUORUMLOCK_NODE_TIMEOUT is 50ms;"
                        + " write 200ms. The holder is unknown.",
                answer.json().get("detail").asText());
    }

    /** Its name led to the server of another master for a moment. */
    @Test
    void namesNoCureOfMasterThatIsRefusedWithoutDetail() {
        servers.add(new ServerStatus(
                "node-1",
                "moved:6379",
                false,
                Optional.of(ServerFailure.REFUSED),
                Optional.empty(),
                Optional.empty(),
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
        RawAnswer answer = acquired(new Acquisition.NoQuorum(new NoQuorumReason(2, 3, 5, Effect.NONE)));
        assertEquals(
                "2 of 5 masters answered, 3 are required. Nothing was acquired.",
                answer.json().get("detail").asText());
    }

    /** The first minute of a fleet without persistence. */
    @Test
    void saysWhenQuarantinesEnd() {
        for (int seconds : List.of(50, 30, 40)) {
            servers.add(away(
                    "node-" + seconds,
                    ServerFailure.QUARANTINED,
                    "it is new",
                    Optional.of(Duration.ofSeconds(seconds))));
        }
        RawAnswer answer = acquired(new Acquisition.NoQuorum(new NoQuorumReason(2, 3, 5, Effect.NONE)));
        assertEquals(
                "2 of 5 masters answered, 3 are required. Enough quarantines end in 40 s. Nothing was acquired.",
                answer.json().get("detail").asText());
        assertEquals("40", answer.header("Retry-After"));
    }

    private static ServerStatus away(String alias, ServerFailure why, String detail, Optional<Duration> quarantine) {
        return new ServerStatus(
                alias,
                "far:6379",
                false,
                Optional.of(why),
                Optional.of(detail),
                Optional.empty(),
                0,
                quarantine,
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void leavesOutExtensionsWithoutLimit() {
        Lease unlimited = new Lease(
                LEASE.resources(),
                LEASE.token(),
                LEASE.fence(),
                LEASE.ttl(),
                LEASE.validity(),
                LEASE.elapsed(),
                LEASE.waited(),
                OptionalInt.empty(),
                LEASE.votes(),
                LEASE.slot());
        String body = acquired(new Acquisition.Acquired(unlimited)).body();
        assertEquals(LEASE_JSON.replace("\"extensionsLeft\":1000,", ""), body);
    }

    @Test
    void mapsReplayedToOk() {
        RawAnswer answer = acquired(new Acquisition.Replayed(LEASE));
        assertEquals(200, answer.status());
        assertEquals(LEASE_JSON, answer.body());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 0",
        "-5000000, 1, 0",
        "1, 1, 1",
        "999999999, 1, 1000",
        "1000000000, 1, 1000",
        "1000000001, 2, 1001",
        "4900000000, 5, 4900",
        "60000000000, 5, 60000",
    })
    void heldContainsRetryAfterAndRemainingTime(long remainingNanos, String retryAfter, long remainingMs) {
        RawAnswer answer = acquired(new Acquisition.Held(
                OutcomeAnswers.RESOURCE, Optional.of(new Owner("me")), Duration.ofNanos(remainingNanos)));
        assertEquals(423, answer.status());
        assertEquals(retryAfter, answer.header("Retry-After"));
        assertEquals(remainingMs, answer.json().get("remainingMs").asLong());
        assertEquals("me", answer.json().get("owner").asText());
    }

    @Test
    void omitsUnknownOwner() {
        RawAnswer answer =
                acquired(new Acquisition.Held(OutcomeAnswers.RESOURCE, Optional.empty(), Duration.ofSeconds(1)));
        assertFalse(answer.json().has("owner"));
    }

    @Test
    void saysThatReleasedLockIsKept() {
        Acquisition.Held.Taken kept = new Acquisition.Held.Taken(
                OutcomeAnswers.RESOURCE, Optional.empty(), Duration.ofSeconds(1), Optional.empty(), true, false);
        RawAnswer answer = acquired(new Acquisition.Held(List.of(kept), false, Duration.ZERO));
        assertEquals(
                "The lock was released, and is kept for remainingMs.",
                answer.json().get("detail").asText());
        assertTrue(answer.json().get("kept").asBoolean());
    }

    @Test
    void mapsTokenInUseToConflict() {
        RawAnswer answer = acquired(new Acquisition.TokenInUse());
        assertEquals(409, answer.status());
        assertEquals("token-in-use", answer.slug());
        assertTrue(
                answer.json().get("detail").asText().endsWith("If one of several locks was lost, release them first."));
    }

    @ParameterizedTest
    @CsvSource({"NONE, none, Nothing was acquired", "UNKNOWN, unknown, No lease was granted"})
    void noQuorumContainsPossibleEffect(Effect effect, String outcome, String consequence) {
        RawAnswer answer = acquired(new Acquisition.NoQuorum(new NoQuorumReason(2, 3, 5, effect)));
        assertNoQuorum(answer, outcome);
        assertTrue(answer.json().get("detail").asText().contains(consequence));
    }

    @Test
    void heldContainsWaitingTime() {
        Acquisition.Held held = new Acquisition.Held(OutcomeAnswers.RESOURCE, Optional.empty(), Duration.ofSeconds(1));
        RawAnswer answer = acquired(held.after(Duration.ofMillis(1_500)));
        assertEquals(1_500, answer.json().get("waitedMs").asLong());
    }

    @Test
    void mapsTooManyWaitersToTooManyRequests() {
        RawAnswer answer = acquired(new Acquisition.TooManyWaiters());
        assertEquals(429, answer.status());
        assertEquals("too-many-waiters", answer.slug());
        assertEquals("1", answer.header("Retry-After"));
    }

    @Test
    void mapsShutdownToUnavailableAndClosesConnection() {
        RawAnswer answer = acquired(new Acquisition.ShuttingDown());
        assertEquals(503, answer.status());
        assertEquals("shutting-down", answer.slug());
        assertEquals("1", answer.header("Retry-After"));
        assertEquals("close", answer.header("Connection"));
    }

    @Test
    void mapsExtendedToLease() {
        RawAnswer answer = extended(new Extension.Extended(LEASE, Optional.empty()));
        assertEquals(200, answer.status());
        assertEquals(LEASE_JSON, answer.body());
    }

    @ParameterizedTest
    @CsvSource({"NOBODY, 404, lease-not-found", "ANOTHER, 409, not-owner"})
    void statusOfLostLeaseDependsOnHolder(Holder holder, int status, String slug) {
        RawAnswer extended = extended(new Extension.Lost(holder, Optional.empty()));
        RawAnswer released = released(new Release.NotHeld(holder, Optional.empty()));
        assertEquals(status, extended.status());
        assertEquals(slug, extended.slug());
        assertEquals(extended.body(), released.body());
    }

    /** The answer is true for a set that lost one of its locks, and for a call with other names than the set has. */
    @ParameterizedTest
    @EnumSource(Holder.class)
    void lostLockOfSeveralIsNamed(Holder holder) {
        RawAnswer extended = extended(new Extension.Lost(holder, Optional.of(OutcomeAnswers.RESOURCE)));
        RawAnswer released = released(new Release.NotHeld(holder, Optional.of(OutcomeAnswers.RESOURCE)));
        assertEquals(OutcomeAnswers.RESOURCE.text(), extended.json().get("lost").asText());
        assertEquals(
                "The token has no lease of exactly these names. If it lost one of the locks, the others were released."
                        + " Its leases of other names did not change.",
                extended.json().get("detail").asText());
        assertEquals(extended.body(), released.body());
    }

    @Test
    void mapsExhaustedExtensionsToUnprocessable() {
        RawAnswer answer = extended(new Extension.Exhausted(1000));
        assertEquals(422, answer.status());
        assertEquals("extensions-exhausted", answer.slug());
    }

    @Test
    void mapsUnconfirmedExtensionToNoQuorum() {
        assertNoQuorum(extended(new Extension.Unconfirmed(new NoQuorumReason(2, 3, 5, Effect.UNKNOWN))), "unknown");
    }

    @Test
    void mapsReleasedToNoContent() {
        RawAnswer answer = released(new Release.Released());
        assertEquals(204, answer.status());
    }

    @Test
    void unconfirmedReleaseContainsRemainingTime() {
        NoQuorumReason why = new NoQuorumReason(2, 3, 5, Effect.UNKNOWN);
        RawAnswer answer = released(new Release.Unconfirmed(why, Duration.ofNanos(1_234_000_001)));
        assertEquals(503, answer.status());
        assertEquals("release-incomplete", answer.slug());
        assertEquals(1235, answer.json().get("remainingMs").asLong());
        assertEquals("1", answer.header("Retry-After"));
    }

    @Test
    void heldLockIsShownWithoutToken() {
        HolderState holder = new HolderState(
                Optional.of(new Owner("me")),
                Optional.of(2),
                Optional.of(Instant.ofEpochMilli(1)),
                3,
                Duration.ofNanos(1_000_001),
                Optional.of(new FencingToken(7)),
                false,
                Optional.empty(),
                List.of(new ResourceName("a"), new ResourceName("b")));
        RawAnswer answer = inspected(Inspection.Held.of(List.of(holder), LockKind.ofSlots(3), VOTES));
        String json = "\"owner\":\"me\",\"slot\":2,\"heldSince\":\"1970-01-01T00:00:00.001Z\",\"extensions\":3,"
                + "\"remainingMs\":2,\"fencingToken\":7,\"names\":[\"a\",\"b\"]";
        assertEquals(
                "{\"held\":true," + json + ",\"slots\":3,\"holders\":[{" + json
                        + "}],\"holderCount\":1,\"votes\":{\"granted\":4,\"required\":3,\"total\":5},\"waiters\":2}",
                answer.body());
    }

    @Test
    void mapsFreeLockToNotFound() {
        assertEquals(404, inspected(new Inspection.Free()).status());
    }

    @Test
    void mapsInspectionWithoutMajorityToNoQuorum() {
        assertNoQuorum(inspected(new Inspection.NoQuorum(new NoQuorumReason(2, 3, 5, Effect.NONE))), "none");
    }
}
