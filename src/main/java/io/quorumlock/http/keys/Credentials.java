// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import java.util.Optional;

/**
 * The credentials of a request.
 *
 * @param id of the key, if the client sent it
 * @param key the secret, hidden in {@link #toString}
 */
public record Credentials(Optional<String> id, String key) {

    @Override
    public String toString() {
        return "Credentials[hidden]";
    }
}
