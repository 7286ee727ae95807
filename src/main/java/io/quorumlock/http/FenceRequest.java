// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.core.lock.Limits;
import java.util.Optional;

/**
 * The fields of a check of a fencing token.
 *
 * @param token any text, because a proxy passes on what its client sent, and must get 403 for it
 */
record FenceRequest(Optional<String> token) implements RequestFields {
    @Override
    public void check(FieldErrors errors, Limits limits) {}
}
