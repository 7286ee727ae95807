// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import java.time.Duration;

/**
 * The terms of an extension.
 *
 * @param ttl the new TTL from now, within {@link Limits}
 * @param minValidity the least validity that the holder accepts; the lease is released if less remains
 */
public record ExtendTerms(Duration ttl, Duration minValidity) {
    /** Creates terms without a minimum validity. */
    public ExtendTerms(Duration ttl) {
        this(ttl, Duration.ZERO);
    }
}
