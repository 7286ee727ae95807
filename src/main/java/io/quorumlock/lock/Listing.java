package io.quorumlock.lock;

import java.util.List;
import java.util.Optional;

/** Is how a listing ended: advisory, locks may have changed meanwhile. */
public sealed interface Listing {

    /**
     * Lists what a majority of nodes said.
     *
     * @param locks by name; fewer than asked for, or none, where some ended while they were listed
     * @param last the name after which the next page begins; empty at the end
     */
    record Page(List<HeldLock> locks, Optional<ResourceName> last) implements Listing {}

    /** Undecided: too few nodes told all their locks in time. */
    record NoQuorum(NoQuorumReason why) implements Listing {}

    /** Refused: as many listings as may be are under way (R14). */
    record Busy(int most) implements Listing {}
}
