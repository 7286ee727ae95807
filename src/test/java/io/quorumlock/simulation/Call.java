package io.quorumlock.simulation;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.ExtendTerms;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One call of one client, by the true time: what it asked, when, and what came back. */
final class Call {
    static final long NEVER = Long.MAX_VALUE;

    /** A kind of call. */
    enum Kind {
        ACQUIRE,
        EXTEND,
        RELEASE,
        /** A lease kept by a session; its outcome is the first news. */
        SESSION,
        /** A forced release by an operator. */
        FORCE;

        boolean asksForLease() {
            return this == ACQUIRE || this == SESSION;
        }
    }

    /**
     * The outcome of the opening of a session, or an event of it.
     *
     * @param decided when the replica told it
     * @param heard when the client heard it
     */
    record News(long decided, long heard, Object what) {}

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
    /** The outcome, or nothing where the client left or none came. */
    Optional<Object> outcome = Optional.empty();
    /** What a session told its client. */
    final List<News> news = new ArrayList<>();
    /** When the client of a session stopped to count on the lease, as it must where it is released once the client is gone. */
    long stopped = NEVER;
    /** The engine ended the lease, because less was left than the call asked for. */
    boolean gaveUp;
    /** When a release was sent, votes for the lease were still on their way: they may bring it back. */
    boolean mayComeBack;
    /** The caller left before the engine had decided (R11). */
    boolean left;
    /** The caller has little patience: that it left says nothing of the time a call takes. */
    boolean impatient;
    /** The replica crashed, paused or was not there: nothing is promised about time. */
    boolean hindered;
    /** The replica's own clock stood still meanwhile: what it measured is too little. */
    boolean suspended;
    /** How fast the client's clock is. */
    double clockRate = 1;

    Call(int number, int client, Kind kind, Wish wish, long invoked) {
        this.number = number;
        this.client = client;
        this.kind = kind;
        this.resource = wish.resource();
        this.token = wish.token();
        this.ttl = kind == Kind.EXTEND ? wish.extension() : wish.ttl();
        this.minValidity = wish.minValidity();
        this.patience = kind.asksForLease() ? wish.patience() : Duration.ZERO;
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

        /** Returns the longest lease that it asks for. */
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
