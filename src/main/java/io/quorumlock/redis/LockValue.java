package io.quorumlock.redis;

import io.quorumlock.lock.Owner;
import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.DeleteCondition;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes and reads what stands under a lock's key: {@code token attempt used fence ttl owner}, separated by single spaces; a fence
 * that was raised ends in "=". The token comes first, so that a comparison needs only a prefix; the owner comes last, because it may contain spaces.
 */
final class LockValue {
    private static final int FIELDS = 6;

    /** A token first, as long as tokens are. */
    private static final Pattern OURS = Pattern.compile("[!-~]{16,128} ([!-~]+) \\d+ \\d+=? \\d+ .*", Pattern.DOTALL);

    private LockValue() {}

    static String of(AcquireCommand claim) {
        return claim.token().text() + " " + claim.attempt() + " 0 "
                + claim.candidate().number() + " "
                + claim.terms().ttl().toMillis() + " "
                + claim.terms().owner().map(Owner::label).orElse("");
    }

    /** Is what a value must begin with for the stake to be found in it. */
    static String prefix(DeleteCondition condition) {
        String token = condition.token().text() + " ";
        return condition.attempt().map(attempt -> token + attempt + " ").orElse(token);
    }

    /** Reads the owner; there is none in a value that another Redlock client wrote. */
    static Optional<Owner> owner(String value) {
        String[] fields = value.split(" ", FIELDS);
        if (fields.length < FIELDS || fields[FIELDS - 1].isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Owner(fields[FIELDS - 1]));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    /** Reads which attempt wrote it; none did in a value that another program wrote. */
    static Optional<String> attempt(String value) {
        Matcher ours = OURS.matcher(value);
        return ours.matches() ? Optional.of(ours.group(1)) : Optional.empty();
    }

    /** Reads what tells one holder from another: the token, or the whole value of another client. */
    static String holder(String value) {
        int end = value.indexOf(' ');
        return end < 0 ? value : value.substring(0, end);
    }
}
