package io.quorumlock.security;

import java.util.Optional;

/**
 * Is what a client shows of itself.
 *
 * @param id of the key, where the client names it
 * @param key the secret, hidden in {@link #toString}
 */
public record Credentials(Optional<String> id, String key) {

    @Override
    public String toString() {
        return "Credentials[hidden]";
    }
}
