// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceNames;

/**
 * The value of an extended lease, for a master that does not have it.
 *
 * @param attempt the name in the value on the other masters
 * @param extensionsUsed the largest number of extensions on any master
 * @param terms as the other masters returned them
 * @param permit names the permission of the master
 */
public record RestoreCommand(
        ResourceNames resources,
        LeaseToken token,
        String attempt,
        int extensionsUsed,
        FencingToken fence,
        String terms,
        String permit) {

    RestoreCommand with(String other) {
        return new RestoreCommand(resources, token, attempt, extensionsUsed, fence, terms, other);
    }
}
