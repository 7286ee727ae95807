package io.quorumlock.lock;

/** Is how an extension ended. One that failed never deletes anything (R7); only one that is {@link TooShort} gives up. */
public sealed interface Extension {

    /** Confirmed by a quorum of nodes that still held the lease. */
    record Extended(Lease lease) implements Extension {}

    /** Refused: a majority no longer holds this lease. */
    record Lost(Holder holder) implements Extension {}

    /** Confirmed, and the lease given up at once: less validity was left than its holder needs. It is lost. */
    record TooShort(ValidityShortage shortage) implements Extension {}

    /** Refused: the lease was extended as often as is allowed (R13). */
    record Exhausted(int most) implements Extension {}

    /** Undecided: the lease may or may not have been extended; it is as valid as it was before. */
    record Unconfirmed(NoQuorumReason why) implements Extension {}
}
