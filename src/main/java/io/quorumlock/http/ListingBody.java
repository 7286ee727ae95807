// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quorumlock.core.lock.Listing;
import io.quorumlock.core.lock.Listing.HeldLock;
import io.quorumlock.core.lock.ResourceName;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The JSON of a page of locks.
 *
 * @param after the last name of the page, after which the next one begins; absent on the last page
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record ListingBody(List<LockBody> locks, Optional<String> after) {
    static ListingBody of(Listing.Page page, Predicate<ResourceName> visible) {
        return new ListingBody(
                page.locks().stream().map(lock -> LockBody.of(lock, visible)).toList(),
                page.last().map(ResourceName::text));
    }

    /** The JSON of one lock in the list. */
    record LockBody(String resource, @JsonUnwrapped LockStateBody state, boolean partial) {
        static LockBody of(HeldLock lock, Predicate<ResourceName> visible) {
            return new LockBody(lock.resource().text(), LockStateBody.of(lock.state(), visible), lock.isPartial());
        }
    }
}
