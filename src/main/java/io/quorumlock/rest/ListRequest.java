// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.LockDirectory.PageTerms;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import java.util.Optional;
import java.util.Set;

/** A validated request to list. */
record ListRequest(PageTerms terms) {
    private static final Set<String> FIELDS = Set.of("prefix", "limit", "cursor");
    private static final int DEFAULT_LIMIT = 100;
    private static final int MOST = 1_000;

    static ListRequest read(RequestParameters fields) {
        fields.only(FIELDS);
        int limit = fields.limit(DEFAULT_LIMIT, MOST);
        ResourcePrefix prefix = fields.converted("prefix", ResourcePrefix::new).orElseGet(() -> new ResourcePrefix(""));
        Optional<ResourceName> after = fields.converted("cursor", text -> Cursor.read(text, prefix));
        fields.check();
        return new ListRequest(new PageTerms(prefix, after, limit));
    }
}
