package io.quorumlock.lock;

import java.util.Base64;
import java.util.random.RandomGenerator;

/**
 * Proves ownership of a lease: whoever shows it may extend or release the lease, nobody else (S4).
 *
 * @param text 16 to 128 visible ASCII characters (0x21 to 0x7E), so that it fits a header, a query and a lock's value
 */
public record LeaseToken(String text) {
    static final int SHORTEST = 16;
    static final int LONGEST = 128;
    private static final int MINTED_BYTES = 20;

    public LeaseToken {
        if (text.length() < SHORTEST || text.length() > LONGEST) {
            throw new IllegalArgumentException("must have " + SHORTEST + " to " + LONGEST + " characters");
        }
        if (!text.chars().allMatch(c -> c > ' ' && c <= '~')) {
            throw new IllegalArgumentException("must be visible ASCII characters only");
        }
    }

    /** Mints a token of 160 bits: 27 characters of base64url. */
    public static LeaseToken mint(RandomGenerator random) {
        byte[] bytes = new byte[MINTED_BYTES];
        random.nextBytes(bytes);
        return new LeaseToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** Hides the token: it must never reach a log, a metric or an error. */
    @Override
    public String toString() {
        return "LeaseToken[hidden]";
    }
}
