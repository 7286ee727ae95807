// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceNames;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content of the record of a lock: {@code token write used fence ttl lasts since owner}, separated by single spaces. The
 * TTL of a lease of several resources ends in the mark of their names. The owner is last, because it may contain spaces.
 *
 * @param write unique for each write; it shows whether a write without a reply took effect (R3). Or "kept": the lease was
 *     released, and nobody gets the lock while the record lasts
 * @param extensionsUsed number of extensions of the lease
 * @param fence empty in the first record of a lease, whose revision is the fencing token
 * @param ttl the TTL of the acquire, in whole milliseconds; a repeated acquire must have the same
 * @param names the mark of all resources of the lease; empty for one
 * @param lasts duration of the lease from this write, in nanoseconds: a rounded one would grow with each repeat
 * @param since the time of the acquire by the clock of the replica, in whole milliseconds, for display only
 * @param owner of a kept lock, the one who released it
 */
record LockRecord(
        LeaseToken token,
        String write,
        int extensionsUsed,
        Optional<FencingToken> fence,
        Duration ttl,
        String names,
        Duration lasts,
        Instant since,
        Optional<Owner> owner) {
    private static final Pattern FORMAT = Pattern.compile(
            "([!-~]{16,128}) ([!-~]+) (\\d{1,9}) (\\d{1,16}) (\\d{1,9})((?:/\\S+)?) (\\d{1,15}) (\\d{1,15}) (.*)",
            Pattern.DOTALL);

    private static final String NO_FENCE = "0";
    private static final String KEPT = "kept";

    /** Returns the first record of a lease. */
    static LockRecord of(LeaseToken token, String write, ResourceNames resources, AcquireTerms terms, Instant now) {
        return new LockRecord(
                token,
                write,
                0,
                Optional.empty(),
                terms.ttl(),
                resources.mark(),
                terms.ttl(),
                now.truncatedTo(ChronoUnit.MILLIS),
                terms.owner());
    }

    /** Returns the record of the lease after a repeated acquire. */
    LockRecord repeated(String nextWrite, FencingToken known, Duration rest) {
        return new LockRecord(token, nextWrite, extensionsUsed, Optional.of(known), ttl, names, rest, since, owner);
    }

    /** Returns the record of the lease after an extension. */
    LockRecord extended(String nextWrite, FencingToken known, Duration longer) {
        return new LockRecord(
                token, nextWrite, extensionsUsed + 1, Optional.of(known), ttl, names, longer, since, owner);
    }

    /** Returns the record of the lease after a release that keeps the lock taken, by nobody. */
    LockRecord kept(FencingToken known, Duration keep) {
        return new LockRecord(token, KEPT, extensionsUsed, Optional.of(known), ttl, names, keep, since, owner);
    }

    /** Returns whether it is the first record of its lease. */
    boolean beginsLease() {
        return fence.isEmpty();
    }

    boolean isKept() {
        return write.equals(KEPT);
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
                ttl.toMillis() + names,
                Long.toString(lasts.toNanos()),
                Long.toString(since.toEpochMilli()),
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
                    fields.group(6),
                    Duration.ofNanos(Long.parseLong(fields.group(7))),
                    Instant.ofEpochMilli(Long.parseLong(fields.group(8))),
                    Optional.of(fields.group(9))
                            .filter(owner -> !owner.isEmpty())
                            .map(Owner::new)));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }
}
