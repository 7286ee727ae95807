package io.quorumlock.lock;

import java.util.Optional;

/**
 * The locks to list.
 *
 * @param prefix selects resources by name
 * @param after the last name of the previous page; empty for the first page
 * @param limit maximum number of locks on a page, at least 1
 */
public record PageTerms(ResourcePrefix prefix, Optional<ResourceName> after, int limit) {

    public PageTerms {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be 1 or more");
        }
    }
}
