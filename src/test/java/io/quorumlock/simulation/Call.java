// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.testing.SessionEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A call of a client with its terms, times and outcome. All times are true times. */
final class Call {
    static final long NEVER = Long.MAX_VALUE;

    /** A kind of call. */
    enum Kind {
        ACQUIRE,
        EXTEND,
        RELEASE,
        /** Acquires a lease that a session keeps. Its outcome is the first message of the session. */
        SESSION,
        /** A forced release by an operator. */
        FORCE;

        boolean requestsLease() {
            return this == ACQUIRE || this == SESSION;
        }
    }

    /**
     * The outcome of the opening of a session, or an event of it.
     *
     * @param asked the earliest time at which the replica asked the masters for it
     * @param decided when the replica sent it
     * @param heard when the client received it
     */
    record News(long asked, long decided, long heard, Object what) {}

    final int number;
    final int client;
    final Kind kind;
    final ResourceName resource;
    final LeaseToken token;
    final Duration ttl;
    final Duration minValidity;
    final Duration patience;
    final long invoked;
    int replica;
    long started = NEVER;
    long decided = NEVER;
    long returned = NEVER;
    /** The outcome; empty if the client left or no outcome arrived. */
    Optional<Object> outcome = Optional.empty();
    /** The messages of a session to its client. */
    final List<News> news = new ArrayList<>();
    /** Whether the engine ended the lease, because its validity was less than required. */
    boolean gaveUp;
    /** Whether votes for the lease were in flight when a release was sent. They can restore the lease. */
    boolean mayComeBack;
    /** Whether the caller left before the engine decided (R11). */
    boolean left;
    /** Whether the caller leaves early. Its leaving is then no evidence of a slow call. */
    boolean impatient;
    /** Whether the replica crashed, paused or was down. There is no time limit then. */
    boolean hindered;
    /** Whether the replica's clock stopped during the call. The measured time is then too short. */
    boolean suspended;
    /** The rate of the client's clock. */
    double clockRate = 1;

    Call(int number, int client, Kind kind, Wish wish, long invoked) {
        this.number = number;
        this.client = client;
        this.kind = kind;
        this.resource = wish.resource();
        this.token = wish.token();
        this.ttl = kind == Kind.EXTEND ? wish.extension() : wish.ttl();
        this.minValidity = wish.minValidity();
        this.patience = kind.requestsLease() ? wish.patience() : Duration.ZERO;
        this.invoked = invoked;
    }

    /** The lease that a client wants. */
    record Wish(
            ResourceName resource,
            LeaseToken token,
            Duration ttl,
            Duration extension,
            Duration minValidity,
            Duration patience) {
        Wish(ResourceName resource, LeaseToken token, Duration ttl) {
            this(resource, token, ttl, ttl, Duration.ZERO, Duration.ZERO);
        }

        Wish needing(Duration other) {
            return new Wish(resource, token, ttl, extension, other, patience);
        }

        Wish waiting(Duration most) {
            return new Wish(resource, token, ttl, extension, minValidity, most);
        }

        Wish extendingBy(Duration other) {
            return new Wish(resource, token, ttl, other, minValidity, patience);
        }

        /** Returns the longest TTL that the client requests. */
        Duration longest() {
            return ttl.compareTo(extension) > 0 ? ttl : extension;
        }

        AcquireTerms terms() {
            return new AcquireTerms(ttl, minValidity, patience, Optional.of(token), Optional.empty());
        }

        ExtendTerms extendTerms() {
            return new ExtendTerms(extension, minValidity);
        }
    }

    /** Returns the lease in the outcome, if it has one. */
    Optional<Lease> lease() {
        Object answer = outcome.orElse(null);
        if (answer instanceof Acquisition.Acquired acquired) {
            return Optional.of(acquired.lease());
        }
        if (answer instanceof Acquisition.Replayed replayed) {
            return Optional.of(replayed.lease());
        }
        if (answer instanceof SessionEvent.Began begun) {
            return Optional.of(begun.lease());
        }
        return answer instanceof Extension.Extended extended ? Optional.of(extended.lease()) : Optional.empty();
    }

    boolean isDecided() {
        return decided != NEVER;
    }

    boolean hasReturned() {
        return returned != NEVER;
    }

    @Override
    public String toString() {
        String answer = outcome.map(Object::toString).orElse(left ? "left" : "no answer");
        return "call " + number + " client-" + client + " replica-" + replica + " " + kind + " " + resource + " "
                + token.text() + " ttl " + ttl.toMillis() + " at least " + minValidity.toMillis() + " waiting "
                + patience.toMillis() + " invoked"
                + Story.time(invoked) + " returned "
                + (hasReturned() ? Story.time(returned) : "never") + " " + answer
                + (news.size() > 1 ? " " + news : "");
    }
}
