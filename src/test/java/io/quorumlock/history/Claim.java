// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.history;

import java.util.Optional;

/**
 * The time in which a client may rely on a lease, by one answer.
 *
 * @param from when the answer arrived, in nanoseconds
 * @param until when the lease ends at the latest, or the client gives it up, in nanoseconds
 */
public record Claim(Call call, long from, long until) {

    /** Returns the claim, ended at this time if it lasts longer; empty if it then ends before the answer arrived. */
    Optional<Claim> endingBy(long end) {
        return Optional.of(new Claim(call, from, Math.min(until, end))).filter(claim -> claim.from < claim.until);
    }
}
