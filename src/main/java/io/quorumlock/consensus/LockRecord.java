// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Owner;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content of the record of a lock: {@code token write used fence ttl lasts owner}, separated by single spaces. The
 * owner is last, because it may contain spaces.
 *
 * @param write unique for each write; it shows whether a write without a reply took effect (R3)
 * @param extensionsUsed number of writes of the lease after the first one
 * @param fence empty in the first record of a lease, whose revision is the fencing token
 * @param ttl the TTL of the acquire, in whole milliseconds; a repeated acquire must have the same
 * @param lasts duration of the lease from this write, in whole milliseconds
 */
record LockRecord(
        LeaseToken token,
        String write,
        int extensionsUsed,
        Optional<FencingToken> fence,
        Duration ttl,
        Duration lasts,
        Optional<Owner> owner) {
    private static final Pattern FORMAT = Pattern.compile(
            "([!-~]{16,128}) ([!-~]+) (\\d{1,9}) (\\d{1,16}) (\\d{1,9}) (\\d{1,9}) (.*)", Pattern.DOTALL);

    private static final String NO_FENCE = "0";

    /** Returns the first record of a lease. */
    static LockRecord of(LeaseToken token, String write, AcquireTerms terms) {
        return new LockRecord(token, write, 0, Optional.empty(), terms.ttl(), terms.ttl(), terms.owner());
    }

    /** Returns the next record of the lease. */
    LockRecord extended(String nextWrite, FencingToken known, Duration longer) {
        return new LockRecord(token, nextWrite, extensionsUsed + 1, Optional.of(known), ttl, longer, owner);
    }

    boolean hasTerms(AcquireTerms terms) {
        return ttl.equals(terms.ttl()) && owner.equals(terms.owner());
    }

    String text() {
        return String.join(
                " ",
                token.text(),
                write,
                Integer.toString(extensionsUsed),
                fence.map(known -> Long.toString(known.number())).orElse(NO_FENCE),
                Long.toString(ttl.toMillis()),
                Long.toString(lasts.toMillis()),
                owner.map(Owner::label).orElse(""));
    }

    /** Parses a record; empty if another program wrote it. */
    static Optional<LockRecord> parse(String text) {
        Matcher fields = FORMAT.matcher(text);
        if (!fields.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new LockRecord(
                    new LeaseToken(fields.group(1)),
                    fields.group(2),
                    Integer.parseInt(fields.group(3)),
                    Optional.of(fields.group(4))
                            .filter(fence -> !fence.equals(NO_FENCE))
                            .map(fence -> new FencingToken(Long.parseLong(fence))),
                    Duration.ofMillis(Long.parseLong(fields.group(5))),
                    Duration.ofMillis(Long.parseLong(fields.group(6))),
                    Optional.of(fields.group(7))
                            .filter(owner -> !owner.isEmpty())
                            .map(Owner::new)));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }
}
