package io.quorumlock.lock;

/**
 * Says why a majority could not decide.
 *
 * @param answered nodes that did not fail
 * @param required the quorum
 * @param total the configured nodes
 * @param effect whether the call may have changed something on a node all the same
 */
public record NoQuorumReason(int answered, int required, int total, Effect effect) {
    /** Tells "nothing happened" from "nobody can say" (R15). */
    public enum Effect {
        NONE,
        UNKNOWN
    }

    /** Is the same with another effect. */
    public NoQuorumReason with(Effect other) {
        return new NoQuorumReason(answered, required, total, other);
    }
}
