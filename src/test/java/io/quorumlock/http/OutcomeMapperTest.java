package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Holder;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Listing;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import io.quorumlock.lock.Shortage;
import io.quorumlock.lock.StandingLock;
import io.quorumlock.lock.Unanswered;
import io.quorumlock.lock.Unanswered.Effect;
import io.quorumlock.lock.Votes;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of outcomes; each answer is held against the contract, so that this is the test of those that need faults. */
class OutcomeMapperTest {
    private static final ResourceName RESOURCE = new ResourceName("orders/é 1");
    private static final ResourcePrefix PREFIX = new ResourcePrefix("orders/");
    private static final Shortage SHORTAGE = new Shortage(Duration.ofMillis(300), Duration.ofMillis(200));
    private static final Votes VOTES = new Votes(4, 3, 5);
    private static final Lease LEASE = new Lease(
            RESOURCE,
            new LeaseToken("the-token-of-the-lease"),
            new FencingToken(9_007_199_254_740_991L),
            Duration.ofSeconds(30),
            Duration.ofNanos(29_695_999_999L),
            Duration.ofNanos(2_000_001),
            1000,
            VOTES);

    private final OutcomeMapper table =
            new OutcomeMapper(Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC));
    private final AnswerWriter writer = new AnswerWriter(new ObjectMapper().registerModule(new Jdk8Module()));
    private final OpenApiContract contract = OpenApiContract.load();

    private static final String LEASE_JSON = "{\"resource\":\"orders/é 1\",\"token\":\"the-token-of-the-lease\","
            + "\"fencingToken\":9007199254740991,"
            + "\"ttlMs\":30000,\"validityMs\":29695,\"elapsedMs\":2,\"expiresAt\":\"2026-01-02T03:04:34.695Z\","
            + "\"extensionsLeft\":1000,\"votes\":{\"granted\":4,\"required\":3,\"total\":5}}";

    @Test
    void acquiredIsCreatedWithItsLocation() {
        RawAnswer answer = acquired(new Acquisition.Acquired(LEASE));
        assertEquals(201, answer.status());
        assertEquals("/locks/orders/%C3%A9%201", answer.header("Location"));
        assertEquals("no-store", answer.header("Cache-Control"));
        assertEquals(LEASE_JSON, answer.body());
    }

    @Test
    void replayedIsTheSameLeaseButNotCreated() {
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
    void heldSaysWhenToTryAgain(long remainingNanos, String retryAfter, long remainingMs) {
        RawAnswer answer =
                acquired(new Acquisition.Held(Duration.ofNanos(remainingNanos), Optional.of(new Owner("me"))));
        assertEquals(423, answer.status());
        assertEquals(retryAfter, answer.header("Retry-After"));
        assertEquals(remainingMs, answer.json().get("remainingMs").asLong());
        assertEquals("me", answer.json().get("owner").asText());
    }

    @Test
    void heldByANamelessOwnerHasNoOwner() {
        RawAnswer answer = acquired(new Acquisition.Held(Duration.ofSeconds(1), Optional.empty()));
        assertFalse(answer.json().has("owner"));
    }

    @Test
    void aTokenInUseIsABadField() {
        RawAnswer answer = acquired(new Acquisition.TokenInUse());
        assertEquals(400, answer.status());
        assertEquals("token", answer.json().at("/errors/0/field").asText());
    }

    @ParameterizedTest
    @CsvSource({"NONE, none", "UNKNOWN, unknown"})
    void noQuorumSaysWhatMayHaveHappened(Effect effect, String outcome) {
        RawAnswer answer = acquired(new Acquisition.NoQuorum(new Unanswered(2, 3, 5, effect)));
        assertNoQuorum(answer, outcome);
    }

    @ParameterizedTest
    @CsvSource({"false, Nothing was acquired.", "true, The lease was released."})
    void tooShortSaysWhatWasAskedForAndWhatWasLeft(boolean wasHeld, String consequence) {
        Unanswered why = new Unanswered(2, 3, 5, Effect.NONE);
        RawAnswer answer = acquired(new Acquisition.TooShort(SHORTAGE, wasHeld, why));
        assertNoQuorum(answer, "unknown");
        assertShortage(answer, consequence);
    }

    @Test
    void anExtensionThatIsTooShortIsALostLease() {
        RawAnswer answer = extended(new Extension.TooShort(SHORTAGE));
        assertEquals(404, answer.status());
        assertEquals("lease-not-found", answer.slug());
        assertShortage(answer, "The lease was released.");
    }

    private static void assertShortage(RawAnswer answer, String consequence) {
        assertEquals(200, answer.json().get("validityMs").asLong());
        assertEquals(300, answer.json().get("minValidityMs").asLong());
        assertEquals(
                "200 ms of validity were left, 300 ms were asked for. " + consequence,
                answer.json().get("detail").asText());
    }

    @Test
    void whoWaitedInVainIsToldHowLong() {
        Acquisition.Held held = new Acquisition.Held(Duration.ofSeconds(1), Optional.empty());
        RawAnswer answer = acquired(held.after(Duration.ofMillis(1_500)));
        assertEquals(1_500, answer.json().get("waitedMs").asLong());
    }

    @Test
    void tooManyWaitersAreToldToTryAgain() {
        RawAnswer answer = acquired(new Acquisition.TooManyWaiters());
        assertEquals(429, answer.status());
        assertEquals("too-many-waiters", answer.slug());
        assertEquals("1", answer.header("Retry-After"));
    }

    @Test
    void whoWaitsWhenTheReplicaEndsIsToldToComeAgainElsewhere() {
        RawAnswer answer = acquired(new Acquisition.ShuttingDown());
        assertEquals(503, answer.status());
        assertEquals("shutting-down", answer.slug());
        assertEquals("1", answer.header("Retry-After"));
        assertEquals("close", answer.header("Connection"));
    }

    @Test
    void extendedIsTheLease() {
        RawAnswer answer = extended(new Extension.Extended(LEASE));
        assertEquals(200, answer.status());
        assertEquals(LEASE_JSON, answer.body());
    }

    @ParameterizedTest
    @CsvSource({"NOBODY, 404, lease-not-found", "ANOTHER, 409, not-owner"})
    void aLostLeaseIsToldApartByItsHolder(Holder holder, int status, String slug) {
        RawAnswer extended = extended(new Extension.Lost(holder));
        RawAnswer released = released(new Release.NotHeld(holder));
        assertEquals(status, extended.status());
        assertEquals(slug, extended.slug());
        assertEquals(extended.body(), released.body());
    }

    @Test
    void exhaustedExtensionsAreUnprocessable() {
        RawAnswer answer = extended(new Extension.Exhausted(1000));
        assertEquals(422, answer.status());
        assertEquals("extensions-exhausted", answer.slug());
    }

    @Test
    void anUnconfirmedExtensionIsNoQuorum() {
        assertNoQuorum(extended(new Extension.Unconfirmed(new Unanswered(2, 3, 5, Effect.UNKNOWN))), "unknown");
    }

    @Test
    void releasedHasNoBody() {
        RawAnswer answer = released(new Release.Released());
        assertEquals(204, answer.status());
    }

    @Test
    void anUnconfirmedReleaseSaysWhenTheLeaseEndsByItself() {
        Unanswered why = new Unanswered(2, 3, 5, Effect.UNKNOWN);
        RawAnswer answer = released(new Release.Unconfirmed(why, Duration.ofNanos(1_234_000_001)));
        assertEquals(503, answer.status());
        assertEquals("release-incomplete", answer.slug());
        assertEquals(1235, answer.json().get("remainingMs").asLong());
        assertEquals("1", answer.header("Retry-After"));
    }

    @Test
    void aHeldLockIsShownWithoutItsToken() {
        RawAnswer answer = inspected(new Inspection.Held(
                Optional.of(new Owner("me")), Duration.ofNanos(1_000_001), Optional.of(new FencingToken(7)), VOTES));
        assertEquals(
                "{\"held\":true,\"owner\":\"me\",\"remainingMs\":2,\"fencingToken\":7,\"votes\":{\"granted\":4,\"required\":3,\"total\":5},\"waiters\":2}",
                answer.body());
    }

    @Test
    void aFreeLockIsNotFound() {
        assertEquals(404, inspected(new Inspection.Free()).status());
    }

    @Test
    void anInspectionWithoutAMajorityIsNoQuorum() {
        assertNoQuorum(inspected(new Inspection.NoQuorum(new Unanswered(2, 3, 5, Effect.NONE))), "none");
    }

    @Test
    void aBrokenLockHasNoBody() {
        assertEquals(
                204,
                forced(new ForcedRelease.Broken(Optional.of(new Owner("me")))).status());
    }

    @Test
    void aLockThatNobodyHoldsCannotBeBroken() {
        assertEquals("lease-not-found", forced(new ForcedRelease.Free()).slug());
    }

    @ParameterizedTest
    @EnumSource(ForcedRelease.Reason.class)
    void aLockThatWasLeftAloneIsAnothers(ForcedRelease.Reason reason) {
        RawAnswer answer = forced(new ForcedRelease.LeftAlone(reason));
        assertEquals(409, answer.status());
        assertEquals("not-owner", answer.slug());
    }

    @Test
    void anUnconfirmedForcedReleaseIsIncomplete() {
        Unanswered why = new Unanswered(2, 3, 5, Effect.UNKNOWN);
        RawAnswer answer = forced(new ForcedRelease.Unconfirmed(why, Optional.empty(), Duration.ofNanos(1)));
        assertEquals("release-incomplete", answer.slug());
        assertEquals(1, answer.json().get("remainingMs").asLong());
    }

    @Test
    void aForcedReleaseThatCouldNotLookIsNoQuorum() {
        assertNoQuorum(forced(new ForcedRelease.NoQuorum(new Unanswered(2, 3, 5, Effect.NONE))), "none");
    }

    @Test
    void aPageShowsItsLocksAndWhereToGoOn() {
        StandingLock partial = new StandingLock(
                RESOURCE, Optional.empty(), Duration.ofNanos(1_000_001), Optional.empty(), new Votes(2, 3, 5));
        RawAnswer answer = listed(new Listing.Page(List.of(partial), Optional.of(RESOURCE)));
        assertEquals(
                "{\"locks\":[{\"resource\":\"orders/é 1\",\"remainingMs\":2,\"partial\":true,"
                        + "\"votes\":{\"granted\":2,\"required\":3,\"total\":5}}],\"cursor\":\""
                        + Cursor.write(PREFIX, RESOURCE) + "\"}",
                answer.body());
    }

    @Test
    void theLastPageHasNoCursor() {
        StandingLock lock = new StandingLock(
                RESOURCE, Optional.of(new Owner("me")), Duration.ofMillis(2), Optional.of(new FencingToken(7)), VOTES);
        assertEquals(
                "{\"locks\":[{\"resource\":\"orders/é 1\",\"owner\":\"me\",\"remainingMs\":2,\"fencingToken\":7,"
                        + "\"partial\":false,\"votes\":{\"granted\":4,\"required\":3,\"total\":5}}]}",
                listed(new Listing.Page(List.of(lock), Optional.empty())).body());
    }

    @Test
    void aListingWithoutAMajorityIsNoQuorum() {
        assertNoQuorum(listed(new Listing.NoQuorum(new Unanswered(2, 3, 5, Effect.NONE))), "none");
    }

    @Test
    void listingsAreBounded() {
        RawAnswer answer = listed(new Listing.Busy(2));
        assertEquals(429, answer.status());
        assertEquals("too-many-listings", answer.slug());
        assertEquals("1", answer.header("Retry-After"));
    }

    private static void assertNoQuorum(RawAnswer answer, String outcome) {
        assertEquals(503, answer.status());
        assertEquals("no-quorum", answer.slug());
        assertEquals("1", answer.header("Retry-After"));
        assertEquals(outcome, answer.json().get("outcome").asText());
        assertEquals(
                "{\"up\":2,\"required\":3,\"total\":5}",
                answer.json().get("nodes").toString());
    }

    private RawAnswer acquired(Acquisition outcome) {
        return write("POST", "/locks/a", table.acquisition(RESOURCE, outcome));
    }

    private RawAnswer extended(Extension outcome) {
        return write("PUT", "/locks/a/extend", table.extension(outcome));
    }

    private RawAnswer released(Release outcome) {
        return write("DELETE", "/locks/a", table.release(outcome));
    }

    private RawAnswer inspected(Inspection outcome) {
        return write("GET", "/locks/a", table.inspection(outcome, 2));
    }

    private RawAnswer forced(ForcedRelease outcome) {
        return write("DELETE", "/locks/a", table.forcedRelease(outcome));
    }

    private RawAnswer listed(Listing outcome) {
        return write("GET", "/locks", table.listing(PREFIX, outcome));
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
