// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import java.util.Optional;

/**
 * The time in which a client may rely on a lease, by one answer.
 *
 * @param <C> a call
 * @param call the call with the answer
 * @param resource the name of the lock
 * @param lease what identifies the lease, usually its token
 * @param from when the answer arrived, in nanoseconds
 * @param until when the lease ends at the latest, or the client gives it up, in nanoseconds
 */
public record Claim<C>(C call, Object resource, Object lease, long from, long until) {

    /** Returns the claim, ended at this time if it lasts longer; empty if it then ends before the answer arrived. */
    public Optional<Claim<C>> endingBy(long end) {
        return Optional.of(new Claim<>(call, resource, lease, from, Math.min(until, end)))
                .filter(claim -> claim.from < claim.until);
    }
}
