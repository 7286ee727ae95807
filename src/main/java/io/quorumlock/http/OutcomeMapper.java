// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorumlock.core.fleet.Fleet;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.Inspection.HolderState;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.Listing;
import io.quorumlock.core.lock.NoQuorumReason;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.Release.Holder;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.http.ListingBody.LockBody;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The mapping of engine outcomes to HTTP answers. */
@Singleton
public final class OutcomeMapper {
    private static final long LONGEST_RETRY_SECONDS = 5;
    private static final Answer NO_SUCH_FENCE =
            Answer.of(ProblemType.STALE_FENCING_TOKEN, "No holder of the lock has this fencing token.");

    private final Clock clock;
    private final Fleet fleet;
    private final boolean several;

    @Inject
    public OutcomeMapper(Clock clock, Fleet fleet) {
        this(clock, fleet, false);
    }

    private OutcomeMapper(Clock clock, Fleet fleet, boolean several) {
        this.clock = clock;
        this.fleet = fleet;
        this.several = several;
    }

    /** Returns the mapping for calls with a set of names, also of one, whose answers name the locks. */
    OutcomeMapper ofSeveral() {
        return new OutcomeMapper(clock, fleet, true);
    }

    public Answer acquisition(Acquisition outcome) {
        return switch (outcome.kind()) {
            case ACQUIRED -> acquired(((Acquisition.Acquired) outcome).lease());
            case REPLAYED -> lease(200, ((Acquisition.Replayed) outcome).lease());
            case HELD -> locked((Acquisition.Held) outcome);
            case TOKEN_IN_USE -> Answer.of(
                    ProblemType.TOKEN_IN_USE,
                    "Use the same ttlMs, owner, names, mode and slots, or another token."
                            + " If one of several locks was lost, release them first.");
            case OTHER_SLOTS -> otherSlots((Acquisition.OtherSlots) outcome);
            case NO_QUORUM -> notAcquired(((Acquisition.NoQuorum) outcome).why());
            case TOO_MANY_WAITERS -> Answer.of(ProblemType.TOO_MANY_WAITERS, "Nothing was acquired.")
                    .retryAfter(1);
            case SHUTTING_DOWN -> Problems.shuttingDown("Nothing was acquired.");
        };
    }

    private static Answer otherSlots(Acquisition.OtherSlots other) {
        String detail = "Clients hold the lock with slots=" + other.slots()
                + ". Use this number, or wait until all have released.";
        return Answer.of(new Problem(ProblemType.OTHER_SLOTS, detail, Map.of("slots", other.slots())));
    }

    private Answer acquired(Lease lease) {
        if (several) {
            return lease(201, lease);
        }
        return lease(201, lease)
                .with("Location", "/locks/" + lease.resources().first().toPath());
    }

    public Answer extension(Extension outcome) {
        return switch (outcome.kind()) {
            case EXTENDED -> lease(200, ((Extension.Extended) outcome).lease());
            case LOST, NOT_OWNER -> lost(((Extension.Lost) outcome).holder(), ((Extension.Lost) outcome).lost());
            case EXHAUSTED -> exhausted((Extension.Exhausted) outcome);
            case UNCONFIRMED -> noQuorum(
                    ((Extension.Unconfirmed) outcome).why(), "The lease is as valid as it was before.");
        };
    }

    private static Answer exhausted(Extension.Exhausted exhausted) {
        String detail = "The lease was extended " + exhausted.most() + " times, which is the maximum.";
        return Answer.of(ProblemType.EXTENSIONS_EXHAUSTED, detail);
    }

    public Answer release(Release outcome) {
        return switch (outcome.kind()) {
            case RELEASED -> Answer.empty(204);
            case LOST, NOT_OWNER -> lost(((Release.NotHeld) outcome).holder(), ((Release.NotHeld) outcome).lost());
            case UNCONFIRMED -> {
                Release.Unconfirmed unconfirmed = (Release.Unconfirmed) outcome;
                yield incomplete(unconfirmed.why(), unconfirmed.remaining());
            }
        };
    }

    public Answer forcedRelease(ForcedRelease outcome) {
        return switch (outcome.kind()) {
            case BROKEN -> Answer.empty(204);
            case FREE -> Answer.of(
                    ProblemType.LEASE_NOT_FOUND,
                    "The lock is free, or none of its leases has this owner and fencing token.");
            case LEFT_ALONE -> leftAlone((ForcedRelease.LeftAlone) outcome);
            case UNCONFIRMED -> {
                ForcedRelease.Unconfirmed unconfirmed = (ForcedRelease.Unconfirmed) outcome;
                yield incomplete(unconfirmed.why(), unconfirmed.remaining());
            }
            case NO_QUORUM -> noQuorum(
                    ((ForcedRelease.NoQuorum) outcome).why(), "The holder is unknown, and nothing was released.");
        };
    }

    private static Answer leftAlone(ForcedRelease.LeftAlone alone) {
        String detail = alone.reason() == ForcedRelease.Reason.NOT_OURS
                ? "Another program wrote this lock. A forced release deletes only locks of this service."
                : "A new lease began meanwhile and was not changed. Inspect it and decide again.";
        return Answer.of(ProblemType.NOT_OWNER, detail);
    }

    /** @param visible whether the client may see a lock of a lease of several */
    public Answer listing(Listing outcome, Predicate<ResourceName> visible) {
        return switch (outcome.kind()) {
            case PAGE -> Answer.of(200, ListingBody.of((Listing.Page) outcome, visible));
            case NO_QUORUM -> notListed((Listing.NoQuorum) outcome, visible);
            case BUSY -> busy((Listing.Busy) outcome);
        };
    }

    private Answer notListed(Listing.NoQuorum outcome, Predicate<ResourceName> visible) {
        NoQuorumReason why = outcome.why();
        List<LockBody> known =
                outcome.known().stream().map(lock -> LockBody.of(lock, visible)).toList();
        String detail =
                told(why) + (known.isEmpty() ? " The held locks are unknown." : " Only some held locks are known.");
        return noQuorum(why, detail, Map.of("known", known));
    }

    private static Answer busy(Listing.Busy busy) {
        String detail = "A replica processes at most " + busy.most() + " lists at a time.";
        return Answer.of(ProblemType.TOO_MANY_LISTINGS, detail).retryAfter(1);
    }

    /**
     * @param visible whether the client may see a lock of a lease of several
     * @param waiters number of clients that wait for the lock on this replica
     */
    public Answer inspection(Inspection outcome, Predicate<ResourceName> visible, int waiters) {
        return switch (outcome.kind()) {
            case HELD -> Answer.of(200, InspectionBody.of((Inspection.Held) outcome, visible, waiters));
            case FREE -> lost(Holder.NOBODY, Optional.empty());
            case NO_QUORUM -> unknownHolder(((Inspection.NoQuorum) outcome).why());
        };
    }

    /** @param token as the client spelled it */
    Answer fence(Inspection outcome, Optional<String> token) {
        return switch (outcome.kind()) {
            case HELD -> fence(((Inspection.Held) outcome).holders(), token);
            case FREE -> NO_SUCH_FENCE;
            case NO_QUORUM -> unknownHolder(((Inspection.NoQuorum) outcome).why());
        };
    }

    private Answer fence(List<HolderState> holders, Optional<String> token) {
        List<HolderState> clients =
                holders.stream().filter(holder -> !holder.kept()).toList();
        boolean held = clients.stream()
                .filter(client -> client.unconfirmed().isEmpty())
                .map(client -> client.fence().map(fence -> Long.toString(fence.number())))
                .anyMatch(fence -> fence.isPresent() && fence.equals(token));
        return held
                ? Answer.empty(204)
                : clients.stream()
                        .flatMap(client -> client.unconfirmed().stream())
                        .findFirst()
                        .map(this::unknownHolder)
                        .orElse(NO_SUCH_FENCE);
    }

    private Answer unknownHolder(NoQuorumReason why) {
        return noQuorum(why, "The holder is unknown.");
    }

    private Answer notAcquired(NoQuorumReason why) {
        String consequence = why.effect() == Effect.NONE
                ? "Nothing was acquired."
                : "No lease was granted, but the lock may stay taken for up to its TTL.";
        Answer answer = noQuorum(why, consequence);
        return fleet.untilQuorum()
                .map(left -> answer.retryAfter(TimeFormat.seconds(left)))
                .orElse(answer);
    }

    private Answer lease(int status, Lease lease) {
        return Answer.of(status, LeaseBody.of(lease, clock.instant(), several));
    }

    private Answer locked(Acquisition.Held held) {
        Duration remaining = held.remaining();
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("remainingMs", TimeFormat.millis(remaining));
        if (!held.waited().isZero()) {
            members.put("waitedMs", held.waited().toMillis());
        }
        if (several) {
            members.put("held", held.taken().stream().map(TakenBody::of).toList());
        } else {
            held.first().owner().map(Owner::label).ifPresent(owner -> members.put("owner", owner));
        }
        if (held.kept()) {
            members.put("kept", true);
        }
        long seconds = Math.max(1, Math.min(LONGEST_RETRY_SECONDS, TimeFormat.seconds(remaining)));
        String detail =
                held.kept() ? "The lock was released, and is kept for remainingMs." : "Another client holds the lock.";
        return Answer.of(new Problem(ProblemType.LOCKED, detail, members)).retryAfter(seconds);
    }

    private static Answer incomplete(NoQuorumReason why, Duration remaining) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("remainingMs", TimeFormat.millis(remaining));
        members.put("nodes", NodesUp.of(why));
        String detail = "It is safe to repeat the release. The lease expires within remainingMs.";
        return Answer.of(new Problem(ProblemType.RELEASE_INCOMPLETE, detail, members))
                .retryAfter(1);
    }

    /** @param resource the lost one, if the lease has several */
    private static Answer lost(Holder holder, Optional<ResourceName> resource) {
        ProblemType type = holder == Holder.NOBODY ? ProblemType.LEASE_NOT_FOUND : ProblemType.NOT_OWNER;
        if (resource.isPresent()) {
            String detail = "The token has no lease of exactly these names. If it lost one of the locks, the others"
                    + " were released. Its leases of other names did not change.";
            return Answer.of(
                    new Problem(type, detail, Map.of("lost", resource.get().text())));
        }
        return Answer.of(
                type,
                holder == Holder.NOBODY
                        ? "It expired, was released, or never existed."
                        : "The token is not that of the current lease, or its lease has other names.");
    }

    private Answer noQuorum(NoQuorumReason why, String consequence) {
        return noQuorum(why, told(why) + " " + consequence, Map.of());
    }

    private String told(NoQuorumReason why) {
        String cause = fleet.untilQuorum()
                .map(left -> " Enough quarantines end in " + TimeFormat.seconds(left) + " s.")
                .or(() -> fleet.cure().map(" %s."::formatted))
                .orElse("");
        return why.total() == 1
                ? "The server of the locks was not reached, or did not answer in time." + cause
                : why.answered() + " of " + why.total() + " masters answered, "
                        + (why.answered() < why.required()
                                ? why.required() + " are required."
                                : "and the others decide.")
                        + cause;
    }

    private static Answer noQuorum(NoQuorumReason why, String detail, Map<String, Object> more) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("nodes", NodesUp.of(why));
        members.put("outcome", why.effect().name().toLowerCase(Locale.ROOT));
        members.putAll(more);
        return Answer.of(new Problem(ProblemType.NO_QUORUM, detail, members)).retryAfter(1);
    }

    /** The JSON of one lock of a set that another client holds. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    private record TakenBody(String name, Optional<String> owner, long remainingMs, Optional<Boolean> kept) {
        static TakenBody of(Acquisition.Held.Taken taken) {
            return new TakenBody(
                    taken.resource().text(),
                    taken.owner().map(Owner::label),
                    TimeFormat.millis(taken.remaining()),
                    taken.kept() ? Optional.of(true) : Optional.empty());
        }
    }

    /** The number of masters that answered, that must answer, and in total. */
    private record NodesUp(int up, int required, int total) {
        static NodesUp of(NoQuorumReason why) {
            return new NodesUp(why.answered(), why.required(), why.total());
        }
    }
}
