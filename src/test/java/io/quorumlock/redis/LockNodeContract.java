package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import io.quorumlock.redlock.NameRange;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.redlock.NodeReply.Absent;
import io.quorumlock.redlock.NodeReply.Adopted;
import io.quorumlock.redlock.NodeReply.Deleted;
import io.quorumlock.redlock.NodeReply.Exhausted;
import io.quorumlock.redlock.NodeReply.Extended;
import io.quorumlock.redlock.NodeReply.Granted;
import io.quorumlock.redlock.NodeReply.HeldByAnother;
import io.quorumlock.redlock.NodeReply.Holding;
import io.quorumlock.redlock.NodeReply.Raised;
import io.quorumlock.redlock.NodeReply.Refused;
import io.quorumlock.redlock.NodeReply.Scanned;
import io.quorumlock.redlock.NodeReply.TokenInUse;
import io.quorumlock.redlock.ScanStep;
import io.quorumlock.testing.Ask;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Is what every node must do, fake or real. */
abstract class LockNodeContract {
    static final LeaseToken A = new LeaseToken("token-of-client-A");
    static final LeaseToken B = new LeaseToken("token-of-client-B");
    static final Duration TTL = Duration.ofSeconds(10);
    private static final Owner OWNER = new Owner("billing, room 7");
    private static int count;

    private final ResourceName resource = new ResourceName("contract/" + ++count);

    /** Puts the question and waits for the answer. */
    abstract NodeReply ask(Ask question);

    abstract int extensionsMax();

    @Test
    void theFirstIsGrantedAndTheSecondToldWhoHasIt() {
        assertInstanceOf(Granted.class, ask(Ask.acquire(resource, A, "a1", TTL, Optional.of(OWNER))));
        Refused refused = assertInstanceOf(Refused.class, acquire(B, "b1"));
        assertEquals(Optional.of(OWNER), refused.owner());
        assertRoughly(TTL, refused.remaining());
    }

    @Test
    void onlyTheHolderReleases() {
        acquire(A, "a1");
        assertInstanceOf(HeldByAnother.class, ask(Ask.release(resource, B)));
        assertInstanceOf(Deleted.class, ask(Ask.release(resource, A)));
        assertInstanceOf(Absent.class, ask(Ask.release(resource, A)));
    }

    /** R6: a token that merely begins like the holder's is another. */
    @Test
    void aTokenIsComparedWhole() {
        LeaseToken longer = new LeaseToken(A.text() + "x");
        ask(Ask.acquire(resource, longer, "l1", TTL, Optional.empty()));
        assertInstanceOf(HeldByAnother.class, ask(Ask.release(resource, A)));
        assertInstanceOf(Refused.class, acquire(A, "a1"));
    }

    /** R3, R5: a clean-up touches only what its own attempt wrote. */
    @Test
    void cleanUpOfAnotherAttemptFindsNothing() {
        acquire(A, "a2");
        assertInstanceOf(HeldByAnother.class, ask(Ask.cleanUp(resource, A, "a1")));
        assertInstanceOf(Deleted.class, ask(Ask.cleanUp(resource, A, "a2")));
    }

    @Test
    void anAdoptedValueIsCleanedUpByNeitherAttempt() {
        acquire(A, "a1");
        assertInstanceOf(Adopted.class, acquire(A, "a2"));
        assertInstanceOf(HeldByAnother.class, ask(Ask.cleanUp(resource, A, "a1")));
        assertInstanceOf(HeldByAnother.class, ask(Ask.cleanUp(resource, A, "a2")));
        assertInstanceOf(Deleted.class, ask(Ask.release(resource, A)));
    }

    /** R6: what is given up is what was found, not what became of it. */
    @Test
    void anAdoptedValueIsGivenUpByWhoAdoptedItAndOnlyAsItWas() {
        acquire(A, "a1");
        acquire(A, "a2");
        assertInstanceOf(HeldByAnother.class, ask(Ask.giveUp(resource, A, "a1", 0)));
        assertInstanceOf(HeldByAnother.class, ask(Ask.giveUp(resource, A, "a2", 1)));
        ask(Ask.extend(resource, A, TTL));
        assertInstanceOf(HeldByAnother.class, ask(Ask.giveUp(resource, A, "a2", 0)));
        assertInstanceOf(Deleted.class, ask(Ask.giveUp(resource, A, "a2", 1)));
    }

    @Test
    void anExtendedLeaseIsGivenUpUnlessItWasExtendedAgain() {
        acquire(A, "a1");
        ask(Ask.extend(resource, A, TTL));
        ask(Ask.extend(resource, A, TTL));
        assertInstanceOf(HeldByAnother.class, ask(Ask.giveUp(resource, A, 1)));
        assertInstanceOf(HeldByAnother.class, ask(Ask.giveUp(resource, B, 2)));
        assertInstanceOf(Deleted.class, ask(Ask.giveUp(resource, A, 2)));
        assertInstanceOf(Absent.class, ask(Ask.giveUp(resource, A, 2)));
    }

    /** R7: the clean-up of an abandoned request of the same token comes late. */
    @Test
    void anExtendedValueIsNotCleanedUp() {
        acquire(A, "a1");
        ask(Ask.extend(resource, A, TTL));
        assertInstanceOf(HeldByAnother.class, ask(Ask.cleanUp(resource, A, "a1")));
        assertInstanceOf(Deleted.class, ask(Ask.release(resource, A)));
    }

    @Test
    void adoptionKeepsTheOldEndAndTheExtensionsUsed() {
        acquire(A, "a1");
        ask(Ask.extend(resource, A, TTL));
        Adopted adopted = assertInstanceOf(Adopted.class, acquire(A, "a2"));
        assertEquals(1, adopted.extensionsUsed());
        assertRoughly(TTL, adopted.remaining());
    }

    @Test
    void theSameTokenOnOtherTermsIsInUse() {
        acquire(A, "a1");
        assertInstanceOf(TokenInUse.class, ask(Ask.acquire(resource, A, "a2", TTL.plusMillis(1), Optional.empty())));
        assertInstanceOf(TokenInUse.class, ask(Ask.acquire(resource, A, "a3", TTL, Optional.of(OWNER))));
    }

    /** R7, R13. */
    @Test
    void extensionsAreCountedAndNeverBringALockBack() {
        assertInstanceOf(Absent.class, ask(Ask.extend(resource, A, TTL)));
        acquire(A, "a1");
        for (int used = 1; used <= extensionsMax(); used++) {
            Extended extended = assertInstanceOf(Extended.class, ask(Ask.extend(resource, A, TTL)));
            assertEquals(used, extended.extensionsUsed());
        }
        assertInstanceOf(Exhausted.class, ask(Ask.extend(resource, A, TTL)));
        assertInstanceOf(HeldByAnother.class, ask(Ask.extend(resource, B, TTL)));
    }

    @Test
    void anExtensionProlongsAndNeverShortens() {
        acquire(A, "a1");
        ask(Ask.extend(resource, A, Duration.ofSeconds(20)));
        ask(Ask.extend(resource, A, Duration.ofSeconds(1)));
        Holding holding = assertInstanceOf(Holding.class, ask(Ask.inspect(resource)));
        assertRoughly(Duration.ofSeconds(20), holding.remaining());
    }

    @Test
    void inspectionShowsTheHolderAndNothingWhereThereIsNone() {
        assertInstanceOf(Absent.class, ask(Ask.inspect(resource)));
        ask(Ask.acquire(resource, A, "a1", TTL, Optional.of(OWNER)));
        Holding holding = assertInstanceOf(Holding.class, ask(Ask.inspect(resource)));
        assertEquals(A.text(), holding.holder());
        assertEquals(Optional.of("a1"), holding.attempt());
        assertEquals(Optional.of(OWNER), holding.owner());
    }

    /** R3: what an inspection showed is what a clean-up finds, until an extension wrote it anew. */
    @Test
    void anExtensionGivesTheValueAnotherAttempt() {
        acquire(A, "a1");
        ask(Ask.extend(resource, A, TTL));
        Holding holding = assertInstanceOf(Holding.class, ask(Ask.inspect(resource)));
        assertInstanceOf(HeldByAnother.class, ask(Ask.cleanUp(resource, A, "a1")));
        String attempt = holding.attempt().orElseThrow();
        assertInstanceOf(Deleted.class, ask(Ask.cleanUp(resource, A, attempt)));
    }

    @Test
    void aScanNamesEveryLockOfThePrefixAndNothingElse() {
        Set<ResourceName> held = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            held.add(hold(resource + "/scan/" + i));
        }
        hold(resource + "/other");
        ask(Ask.release(hold(resource + "/scan/released"), A));
        assertEquals(held, scan(resource + "/scan/", Optional.empty(), Optional.empty()));
    }

    @Test
    void aScanFindsNothingWhereNothingIsHeld() {
        assertEquals(Set.of(), scan(resource + "/none", Optional.empty(), Optional.empty()));
    }

    @Test
    void aScanKeepsBetweenTheNamesThatItIsGiven() {
        ResourceName a = hold(resource + "/a");
        ResourceName b = hold(resource + "/a/b");
        ResourceName c = hold(resource + "/\u00e9 \ud83d\ude00");
        assertEquals(Set.of(b, c), scan(resource.text(), Optional.of(a), Optional.empty()));
        assertEquals(Set.of(b), scan(resource.text(), Optional.of(a), Optional.of(c)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "?", "[ab]", "[^a]", "a\\", "\\*", "a*b", "[", "]", "\"'", "{a,b}", "%s"})
    void aPatternInAPrefixMeansItself(String prefix) {
        hold(resource + "/a");
        hold(resource + "/ab");
        ResourceName literal = hold(resource + "/" + prefix + "x");
        assertEquals(Set.of(literal), scan(resource + "/" + prefix, Optional.empty(), Optional.empty()));
    }

    private ResourceName hold(String name) {
        ResourceName held = new ResourceName(name);
        assertInstanceOf(Granted.class, ask(Ask.acquire(held, A, "a1", TTL, Optional.empty())));
        return held;
    }

    private Set<ResourceName> scan(String prefix, Optional<ResourceName> after, Optional<ResourceName> before) {
        return scan(new NameRange(new ResourcePrefix(prefix), after, before));
    }

    final Set<ResourceName> scan(NameRange range) {
        Set<ResourceName> found = new HashSet<>();
        Optional<String> from = Optional.empty();
        do {
            Scanned scanned = assertInstanceOf(Scanned.class, ask(Ask.scan(new ScanStep(range, from))));
            found.addAll(scanned.found());
            from = scanned.next();
        } while (from.isPresent());
        return found;
    }

    /** R10: the candidate is the token, unless the counter is beyond it; only grants count. */
    @Test
    void everyGrantCountsAndNothingElse() {
        assertEquals(new Granted(Ask.CANDIDATE), acquire(A, "a1"));
        acquire(B, "b1");
        ask(Ask.extend(resource, A, TTL));
        assertEquals(
                Ask.CANDIDATE, assertInstanceOf(Adopted.class, acquire(A, "a2")).fence());
        ask(Ask.release(resource, A));
        assertEquals(new Granted(fence(1)), acquire(B, "b2"));
    }

    /** R10: so a counter that came back old from a snapshot proves nothing, and does no harm. */
    @Test
    void aCandidateBeyondTheCounterIsTheToken() {
        acquire(A, "a1");
        ask(Ask.release(resource, A));
        AcquireTerms terms = new AcquireTerms(TTL, Optional.of(B), Optional.empty());
        assertEquals(new Granted(fence(1_000)), ask(Ask.acquire(resource, B, "b1", fence(1_000), terms)));
    }

    /** R10: what was raised is what the lease names, and the next grant is larger. */
    @Test
    void aRaisedFenceIsNamedByTheLeaseAndSurpassedByTheNext() {
        acquire(A, "a1");
        assertInstanceOf(Raised.class, ask(Ask.raise(resource, A, fence(5).number())));
        assertEquals(new Extended(1, fence(5)), ask(Ask.extend(resource, A, TTL)));
        Holding holding = assertInstanceOf(Holding.class, ask(Ask.inspect(resource)));
        assertEquals(Optional.of(fence(5)), holding.fence());
        ask(Ask.release(resource, A));
        assertEquals(new Granted(fence(6)), acquire(B, "b1"));
    }

    /** R10: what comes late, from a node that voted late or an abandoned request of the same token, changes nothing. */
    @Test
    void raisingNeverLowers() {
        acquire(A, "a1");
        ask(Ask.raise(resource, A, fence(9).number()));
        assertInstanceOf(Raised.class, ask(Ask.raise(resource, A, fence(2).number())));
        assertEquals(new Extended(1, fence(9)), ask(Ask.extend(resource, A, TTL)));
        ask(Ask.release(resource, A));
        assertEquals(new Granted(fence(10)), acquire(B, "b1"));
    }

    @Test
    void onlyTheHolderRaises() {
        assertInstanceOf(Absent.class, ask(Ask.raise(resource, A, 1)));
        acquire(A, "a1");
        assertInstanceOf(HeldByAnother.class, ask(Ask.raise(resource, B, fence(9).number())));
        ask(Ask.release(resource, A));
        assertEquals(new Granted(fence(1)), acquire(B, "b1"));
    }

    private static FencingToken fence(int beyond) {
        return new FencingToken(Ask.CANDIDATE.number() + beyond);
    }

    private NodeReply acquire(LeaseToken token, String attempt) {
        return ask(Ask.acquire(resource, token, attempt, TTL, Optional.empty()));
    }

    private static void assertRoughly(Duration expected, Duration actual) {
        Duration gone = expected.minus(actual);
        assertTrue(!gone.isNegative() && gone.compareTo(Duration.ofSeconds(5)) < 0, () -> "left: " + actual);
    }
}
