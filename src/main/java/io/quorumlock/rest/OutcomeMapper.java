// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Acquisition.ValidityShortage;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Inspection;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.Listing;
import io.quorumlock.lock.NoQuorumReason;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.Release;
import io.quorumlock.lock.Release.Holder;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The mapping of engine outcomes to HTTP answers. */
@Singleton
final class OutcomeMapper {
    private static final String RETRY_AFTER = "Retry-After";
    private static final long LONGEST_RETRY_SECONDS = 5;

    private final Clock clock;

    OutcomeMapper(Clock clock) {
        this.clock = clock;
    }

    Answer acquisition(AcquireRequest request, Acquisition outcome) {
        Answer answer = acquisition(request.resource(), outcome);
        return request.preference()
                .map(applied -> answer.with(AcquireRequest.APPLIED, applied))
                .orElse(answer);
    }

    Answer acquisition(ResourceName resource, Acquisition outcome) {
        if (outcome instanceof Acquisition.Acquired acquired) {
            return lease(201, acquired.lease())
                    .with("Location", LockPath.PREFIX + PercentEncoding.encodePath(resource.text()));
        }
        if (outcome instanceof Acquisition.Replayed replayed) {
            return lease(200, replayed.lease());
        }
        if (outcome instanceof Acquisition.Held held) {
            return locked(held);
        }
        if (outcome instanceof Acquisition.TokenInUse) {
            return Problems.invalidRequest(
                    "token",
                    "is in use on this resource with another ttlMs or owner; use the same values or another token");
        }
        if (outcome instanceof Acquisition.TooShort tooShort) {
            return tooShort(tooShort);
        }
        if (outcome instanceof Acquisition.NoQuorum none) {
            return noQuorum(none.why(), "Nothing was acquired.");
        }
        if (outcome instanceof Acquisition.TooManyWaiters) {
            return Answer.of(new Problem(ProblemType.TOO_MANY_WAITERS, "Nothing was acquired."))
                    .with(RETRY_AFTER, "1");
        }
        if (outcome instanceof Acquisition.ShuttingDown) {
            return Answer.of(new Problem(ProblemType.SHUTTING_DOWN, "Nothing was acquired."))
                    .with(RETRY_AFTER, "1")
                    .with("Connection", "close");
        }
        throw unforeseen(outcome);
    }

    Answer extension(Extension outcome) {
        if (outcome instanceof Extension.Extended extended) {
            return lease(200, extended.lease());
        }
        if (outcome instanceof Extension.Lost lost) {
            return lost(lost.holder());
        }
        if (outcome instanceof Extension.TooShort tooShort) {
            String detail = told(tooShort.shortage()) + " The lease was released.";
            return Answer.of(new Problem(ProblemType.LEASE_NOT_FOUND, detail, members(tooShort.shortage())));
        }
        if (outcome instanceof Extension.Exhausted exhausted) {
            String detail = "The lease was extended " + exhausted.most() + " times, which is the maximum.";
            return Answer.of(new Problem(ProblemType.EXTENSIONS_EXHAUSTED, detail));
        }
        if (outcome instanceof Extension.Unconfirmed unconfirmed) {
            return noQuorum(unconfirmed.why(), "The lease is as valid as it was before.");
        }
        throw unforeseen(outcome);
    }

    Answer release(Release outcome) {
        if (outcome instanceof Release.Released) {
            return Answer.empty(204);
        }
        if (outcome instanceof Release.NotHeld notHeld) {
            return lost(notHeld.holder());
        }
        if (outcome instanceof Release.Unconfirmed unconfirmed) {
            return incomplete(unconfirmed.why(), unconfirmed.remaining());
        }
        throw unforeseen(outcome);
    }

    Answer forcedRelease(ForcedRelease outcome) {
        if (outcome instanceof ForcedRelease.Broken) {
            return Answer.empty(204);
        }
        if (outcome instanceof ForcedRelease.Free) {
            return lost(Holder.NOBODY);
        }
        if (outcome instanceof ForcedRelease.LeftAlone alone) {
            String detail = alone.reason() == ForcedRelease.Reason.NOT_OURS
                    ? "Another program wrote this lock. A forced release deletes only locks of this service."
                    : "A new lease began meanwhile and was not changed. Inspect it and decide again.";
            return Answer.of(new Problem(ProblemType.NOT_OWNER, detail));
        }
        if (outcome instanceof ForcedRelease.Unconfirmed unconfirmed) {
            return incomplete(unconfirmed.why(), unconfirmed.remaining());
        }
        if (outcome instanceof ForcedRelease.NoQuorum none) {
            return noQuorum(none.why(), "The holder is unknown, and nothing was released.");
        }
        throw unforeseen(outcome);
    }

    Answer listing(ResourcePrefix prefix, Listing outcome) {
        if (outcome instanceof Listing.Page page) {
            return Answer.of(200, ListingBody.of(prefix, page));
        }
        if (outcome instanceof Listing.NoQuorum none) {
            return noQuorum(none.why(), "The held locks are unknown.");
        }
        if (outcome instanceof Listing.Busy busy) {
            String detail = "A replica processes at most " + busy.most() + " lists at a time.";
            return Answer.of(new Problem(ProblemType.TOO_MANY_LISTINGS, detail)).with(RETRY_AFTER, "1");
        }
        throw unforeseen(outcome);
    }

    /** @param waiters number of clients that wait for the lock on this replica */
    Answer inspection(Inspection outcome, int waiters) {
        if (outcome instanceof Inspection.Held held) {
            return Answer.of(200, InspectionBody.of(held, waiters));
        }
        if (outcome instanceof Inspection.Free) {
            return lost(Holder.NOBODY);
        }
        if (outcome instanceof Inspection.NoQuorum none) {
            return noQuorum(none.why(), "The holder is unknown.");
        }
        throw unforeseen(outcome);
    }

    private Answer lease(int status, Lease lease) {
        return Answer.of(status, LeaseBody.of(lease, clock.instant()));
    }

    private static Answer locked(Acquisition.Held held) {
        Duration remaining = held.remaining();
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("remainingMs", Milliseconds.millis(remaining));
        if (!held.waited().isZero()) {
            members.put("waitedMs", held.waited().toMillis());
        }
        held.owner().map(Owner::label).ifPresent(owner -> members.put("owner", owner));
        long seconds = Math.max(1, Math.min(LONGEST_RETRY_SECONDS, Milliseconds.seconds(remaining)));
        return Answer.of(new Problem(ProblemType.LOCKED, "Another client holds the lock.", members))
                .with(RETRY_AFTER, Long.toString(seconds));
    }

    private static Answer incomplete(NoQuorumReason why, Duration remaining) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("remainingMs", Milliseconds.millis(remaining));
        members.put("nodes", NodesUp.of(why));
        String detail = "It is safe to repeat the release. The lease expires within remainingMs.";
        return Answer.of(new Problem(ProblemType.RELEASE_INCOMPLETE, detail, members))
                .with(RETRY_AFTER, "1");
    }

    private static Answer lost(Holder holder) {
        return holder == Holder.NOBODY
                ? Answer.of(new Problem(ProblemType.LEASE_NOT_FOUND, "It expired, was released, or never existed."))
                : Answer.of(new Problem(ProblemType.NOT_OWNER, "The token is not that of the current lease."));
    }

    /** The effect is always unknown, because values of the attempt or of the released lease may remain. */
    private static Answer tooShort(Acquisition.TooShort tooShort) {
        String consequence = tooShort.wasHeld() ? " The lease was released." : " Nothing was acquired.";
        return noQuorum(
                tooShort.why(), Effect.UNKNOWN, told(tooShort.shortage()) + consequence, members(tooShort.shortage()));
    }

    private static String told(ValidityShortage shortage) {
        return shortage.left().toMillis() + " ms of validity were left, but "
                + shortage.asked().toMillis() + " ms were requested.";
    }

    private static Map<String, Object> members(ValidityShortage shortage) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("validityMs", shortage.left().toMillis());
        members.put("minValidityMs", shortage.asked().toMillis());
        return members;
    }

    private static Answer noQuorum(NoQuorumReason why, String consequence) {
        String detail = why.answered() + " of " + why.total() + " masters answered, " + why.required()
                + " are required. " + consequence;
        return noQuorum(why, why.effect(), detail, Map.of());
    }

    private static Answer noQuorum(NoQuorumReason why, Effect effect, String detail, Map<String, Object> more) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("nodes", NodesUp.of(why));
        members.put("outcome", effect.name().toLowerCase(Locale.ROOT));
        members.putAll(more);
        return Answer.of(new Problem(ProblemType.NO_QUORUM, detail, members)).with(RETRY_AFTER, "1");
    }

    private static IllegalStateException unforeseen(Object outcome) {
        return new IllegalStateException("no answer for " + outcome.getClass().getName());
    }

    /** The number of masters that answered, that must answer, and in total. */
    private record NodesUp(int up, int required, int total) {
        static NodesUp of(NoQuorumReason why) {
            return new NodesUp(why.answered(), why.required(), why.total());
        }
    }
}
