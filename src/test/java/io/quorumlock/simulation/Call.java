package io.quorumlock.simulation;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.Optional;

/** Is one call of one client, by the true time: what it asked, when, and what came back. */
final class Call {
    static final long NEVER = Long.MAX_VALUE;

    /** Is what is asked. */
    enum Kind {
        ACQUIRE,
        EXTEND,
        RELEASE
    }

    final int number;
    final int client;
    final Kind kind;
    final ResourceName resource;
    final LeaseToken token;
    final Duration ttl;
    final long invoked;
    int replica;
    long started = NEVER;
    long decided = NEVER;
    long returned = NEVER;
    /** The outcome, or nothing where the client left or none came. */
    Optional<Object> outcome = Optional.empty();
    /** The caller left before the engine had decided (R11). */
    boolean left;
    /** The caller has little patience: that it left says nothing of the time a call takes. */
    boolean impatient;
    /** The replica crashed, paused or was not there: nothing is promised about time. */
    boolean hindered;

    Call(int number, int client, Kind kind, Wish wish, long invoked) {
        this.number = number;
        this.client = client;
        this.kind = kind;
        this.resource = wish.resource();
        this.token = wish.token();
        this.ttl = wish.ttl();
        this.invoked = invoked;
    }

    /** Is what a client wants to hold. */
    record Wish(ResourceName resource, LeaseToken token, Duration ttl) {
        AcquireTerms terms() {
            return new AcquireTerms(ttl, Optional.of(token), Optional.empty());
        }
    }

    boolean hasReturned() {
        return returned != NEVER;
    }

    @Override
    public String toString() {
        String answer = outcome.map(Object::toString).orElse(left ? "left" : "no answer");
        return "call " + number + " client-" + client + " replica-" + replica + " " + kind + " " + resource + " "
                + token.text() + " ttl " + ttl.toMillis() + " invoked" + Story.time(invoked) + " returned "
                + (hasReturned() ? Story.time(returned) : "never") + " " + answer;
    }
}
