// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.fleetlock;

import io.quorumlock.http.Problem;

/**
 * An error of FleetLock. Zincati logs the value, and counts errors by kind, of which there are few.
 *
 * @param kind of the problem, in lower case with underscores
 * @param value sentences for an administrator
 */
record FleetLockError(String kind, String value) {

    /** Returns the form of errors on the paths of this protocol, also of those that the service finds before it. */
    static FleetLockError of(Problem problem) {
        return new FleetLockError(
                problem.kind().slug().replace('-', '_'), problem.getTitle() + ". " + problem.detail());
    }
}
