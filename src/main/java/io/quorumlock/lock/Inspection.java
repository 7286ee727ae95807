// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.lock;

import io.quorumlock.lock.Lease.Votes;
import java.time.Duration;
import java.util.Optional;

/**
 * The state of a resource according to a quorum. It is advisory, because it may have changed meanwhile. Never contains
 * the token.
 */
public sealed interface Inspection {

    /** Returns the result of the function for this kind of outcome. */
    <R> R fold(Cases<R> cases);

    /**
     * One function for each kind of outcome.
     *
     * @param <R> the result
     */
    interface Cases<R> {
        R held(Held outcome);

        R free(Free outcome);

        R noQuorum(NoQuorum outcome);
    }

    /**
     * One token holds the resource on a majority of nodes.
     *
     * @param fence empty if another program holds the resource
     */
    record Held(Optional<Owner> owner, Duration remaining, Optional<FencingToken> fence, Votes votes)
            implements Inspection {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.held(this);
        }
    }

    /** The resource is free. */
    record Free() implements Inspection {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.free(this);
        }
    }

    /** No decision: too few nodes answered. */
    record NoQuorum(NoQuorumReason why) implements Inspection {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.noQuorum(this);
        }
    }
}
