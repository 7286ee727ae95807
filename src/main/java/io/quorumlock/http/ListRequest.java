// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.core.lock.Limits;
import io.quorumlock.core.lock.LockDirectory.PageTerms;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourcePrefix;
import java.util.Optional;

/**
 * The fields of a list.
 *
 * @param after the last name of the page before
 */
record ListRequest(Optional<ResourcePrefix> prefix, Optional<ResourceName> after, Optional<Long> limit)
        implements RequestFields {
    private static final long DEFAULT_LIMIT = 100;
    private static final int MOST = 1_000;

    @Override
    public void check(FieldErrors errors, Limits limits) {
        errors.range("limit", limit, 1, MOST);
    }

    PageTerms terms() {
        return new PageTerms(
                prefix.orElseGet(() -> new ResourcePrefix("")),
                after,
                limit.orElse(DEFAULT_LIMIT).intValue());
    }
}
