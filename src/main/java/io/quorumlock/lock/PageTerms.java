package io.quorumlock.lock;

import java.util.Optional;

/**
 * Says which locks to list.
 *
 * @param prefix of the resources' names
 * @param after the name at which the page before ended; empty for the first
 * @param limit the most locks of one page, 1 or more
 */
public record PageTerms(ResourcePrefix prefix, Optional<ResourceName> after, int limit) {

    public PageTerms {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be 1 or more");
        }
    }
}
