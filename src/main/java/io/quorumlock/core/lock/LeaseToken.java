// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.random.RandomGenerator;

/**
 * The proof of ownership of a lease. Only a caller with the token can extend or release the lease (S4).
 *
 * @param text 16 to 128 visible ASCII characters (0x21 to 0x7E), which fit a header, a query and a lock value
 */
public record LeaseToken(String text) {
    static final int SHORTEST = 16;
    static final int LONGEST = 128;
    private static final int MINTED_BYTES = 20;

    public LeaseToken {
        if (text.length() < SHORTEST || text.length() > LONGEST) {
            throw new IllegalArgumentException("must have " + SHORTEST + " to " + LONGEST + " characters");
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
                throw new IllegalArgumentException("must be visible ASCII characters only");
            }
        }
    }

    /** Generates a token of 160 bits: 27 characters of base64url. */
    public static LeaseToken mint(RandomGenerator random) {
        byte[] bytes = new byte[MINTED_BYTES];
        random.nextBytes(bytes);
        return new LeaseToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /**
     * Computes the token of an owner whose protocol has an id and no secret. Each replica computes the same one, so that a repeated
     * request is safe on any of them. An id belongs to one lease: a later one with the same token could be released by a late
     * command of the first. The id is enough to compute the token, so only the permissions on the name protect the lock.
     */
    public static LeaseToken derivedFrom(ResourceName name, String id) {
        byte[] text = (name.text() + "\n" + id).getBytes(StandardCharsets.UTF_8);
        return new LeaseToken(Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(text)));
    }

    /** Hides the token, which must never reach a log, a metric or an error. */
    @Override
    public String toString() {
        return "LeaseToken[hidden]";
    }
}
