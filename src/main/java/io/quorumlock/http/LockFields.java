// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import java.util.Optional;

/** The fields of a call for one lock, whose name is in the path, or for several locks. */
interface LockFields extends RequestFields {
    Optional<ResourceNames> names();

    /** Returns the name in the path. */
    default ResourceNames only(ResourceName name) {
        if (names().isPresent()) {
            throw new ProblemException(Problems.invalidRequest(
                    "names", "is not allowed in a call for one lock, whose name is in the path"));
        }
        return ResourceNames.of(name);
    }

    default ResourceNames several() {
        return names().orElseThrow(() -> new ProblemException(Problems.invalidRequest(
                "names", "is required: the names of the locks, from 1 to " + ResourceNames.MOST)));
    }
}
