// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

/**
 * The reason why a majority did not decide.
 *
 * @param answered masters that replied before the answer
 * @param required the quorum
 * @param total the configured masters
 * @param effect whether the call may have changed a master
 */
public record NoQuorumReason(int answered, int required, int total, Effect effect) {
    /** The possible effect of an undecided call (R15). */
    public enum Effect {
        NONE,
        UNKNOWN
    }

    /** Returns a copy with another effect. */
    public NoQuorumReason with(Effect other) {
        return new NoQuorumReason(answered, required, total, other);
    }
}
