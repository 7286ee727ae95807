// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.redlock.AcquireCommand;
import io.quorumlock.engines.redlock.DeleteCondition;
import io.quorumlock.engines.redlock.RestoreCommand;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The format of a lock's value: {@code token attempt used fence ttl owner}, separated by single spaces. A raised fence
 * ends in "=". The TTL of a lease of several resources ends in the mark of their names, and that of a shared lock or a
 * semaphore in "/shared" or "/slots4.2", for slot 2 of 4. The token is first, so that a comparison needs only a prefix. The
 * owner is last, because it may contain spaces.
 */
final class LockValue {
    private static final int FIELDS = 6;

    /** Matches the values of this service, which begin with a token of valid length. */
    private static final Pattern OURS =
            Pattern.compile("[!-~]{16,128} ([!-~]+) (\\d{1,9}) \\d+=? \\d+(?:/\\S+)? .*", Pattern.DOTALL);

    private static final String SHARED = "/shared";
    private static final String SLOTS = "/slots";

    /** Finds the kind of a lock that several clients can hold. */
    private static final Pattern KIND = Pattern.compile("^\\S+ \\S+ \\d+ \\d+=? \\d+(/shared|/slots\\d+)");

    private static final Pattern SLOT = Pattern.compile("^\\S+ \\S+ \\d+ \\d+=? \\d+/slots\\d+\\.(\\d{1,2}) ");

    /** Finds the mark of a lease of several resources. */
    private static final Pattern MARK = Pattern.compile("^\\S+ \\S+ \\d+ \\d+=? \\d+(/\\d+\\S+) ");

    private LockValue() {}

    static String of(AcquireCommand command) {
        return command.token().text() + " " + command.attempt() + " 0 "
                + command.candidate().number() + " "
                + command.terms().ttl().toMillis() + mark(command) + " "
                + command.terms().owner().map(Owner::label).orElse("");
    }

    static String of(RestoreCommand command) {
        return prefix(command.token()) + command.attempt() + " " + command.extensionsUsed() + " "
                + command.fence().number() + "= " + command.terms();
    }

    private static String mark(AcquireCommand command) {
        String kind = kind(command.terms().kind());
        return command.slot().isPresent()
                ? kind + "." + command.slot().getAsInt()
                : command.resources().mark() + kind;
    }

    /** Returns the name of a kind of lock in the scripts; empty for an exclusive one. */
    static String kind(LockKind kind) {
        return switch (kind.type()) {
            case EXCLUSIVE -> "";
            case SHARED -> SHARED;
            case SLOTS -> SLOTS + kind.slots();
        };
    }

    /** Returns the kind of the lock; exclusive if another program wrote the value. */
    static LockKind kindIn(String value) {
        return first(KIND, value).map(LockValue::kindNamed).orElse(LockKind.EXCLUSIVE);
    }

    /** Returns the kind of a lock that several clients can hold, by its name in the scripts. */
    static LockKind kindNamed(String name) {
        return name.equals(SHARED)
                ? LockKind.SHARED
                : LockKind.ofSlots(Integer.parseInt(name.substring(SLOTS.length())));
    }

    /** Returns the slot of a semaphore. */
    static Optional<Integer> slot(String value) {
        return first(SLOT, value).map(Integer::valueOf);
    }

    /** Returns all names of a lease of several; empty if it has one, or if the value does not have them. */
    static List<ResourceName> names(String value) {
        return first(MARK, value).map(ResourceNames::marked).orElse(List.of());
    }

    private static Optional<String> first(Pattern pattern, String value) {
        Matcher found = pattern.matcher(value);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    /** Returns the prefix of the values of the token. */
    static String prefix(LeaseToken token) {
        return token.text() + " ";
    }

    /** Returns the prefix of values that meet the condition. */
    static String prefix(DeleteCondition condition) {
        String token = prefix(condition.token());
        return condition.attempt().map(attempt -> token + attempt + " ").orElse(token);
    }

    /** Returns the owner; empty for values of other Redlock clients. */
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

    /** Returns the attempt that wrote the value; empty if another program wrote it. */
    static Optional<String> attempt(String value) {
        Matcher ours = OURS.matcher(value);
        return ours.matches() ? Optional.of(ours.group(1)) : Optional.empty();
    }

    /** Returns the number of extensions; 0 if another program wrote the value. */
    static int extensionsUsed(String value) {
        Matcher ours = OURS.matcher(value);
        return ours.matches() ? Integer.parseInt(ours.group(2)) : 0;
    }

    /** Returns the identity of the holder: the token, or the whole value of another client. */
    static String holder(String value) {
        int end = value.indexOf(' ');
        return end < 0 ? value : value.substring(0, end);
    }
}
