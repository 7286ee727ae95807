package io.quorumlock.security;

import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts wrong keys by the address that they came from, and turns the address away after ten a minute. Only keys that were in
 * use from there before go on being taken: or one misconfigured client would keep all others behind the same proxy from
 * extending their leases.
 */
final class FailedLogins {
    static final int MOST = 10;
    static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int MOST_REMEMBERED = 10_000;
    private static final int IPV6_GROUPS = 8;

    private final MonotonicClock clock;
    private final Set<Acquaintance> acquaintances = ConcurrentHashMap.newKeySet();
    /** Guarded by itself; the longest ago goes first when there are too many. */
    private final Map<String, Count> counts = new LinkedHashMap<>();

    private record Acquaintance(String origin, KeyId key) {}

    /** Is how many came, and until when that is held against their address. */
    private record Count(int wrong, MonotonicTime end) {
        boolean isSpent() {
            return wrong >= MOST;
        }
    }

    FailedLogins(MonotonicClock clock) {
        this.clock = clock;
    }

    /** Notes a wrong key, and says how it is refused. */
    Authentication wrongKey(String address) {
        String origin = origin(address);
        MonotonicTime now = clock.now();
        synchronized (counts) {
            Count before = lasting(origin, now).orElse(new Count(0, now.plus(WINDOW)));
            if (before.isSpent()) {
                return new Authentication.TooManyWrongKeys(before.end().since(now));
            }
            Count count = new Count(before.wrong() + 1, before.end());
            counts.put(origin, count.isSpent() ? new Count(count.wrong(), now.plus(WINDOW)) : count);
            if (counts.size() > MOST_REMEMBERED) {
                counts.remove(counts.keySet().iterator().next());
            }
            return new Authentication.WrongKey(count.isSpent());
        }
    }

    /** Says why a right key is turned away all the same, if it is. */
    Optional<Authentication> rightKey(String address, KeyId key) {
        String origin = origin(address);
        Acquaintance acquaintance = new Acquaintance(origin, key);
        if (acquaintances.contains(acquaintance)) {
            return Optional.empty();
        }
        MonotonicTime now = clock.now();
        synchronized (counts) {
            Optional<Count> spent = lasting(origin, now).filter(Count::isSpent);
            if (spent.isPresent()) {
                return Optional.of(
                        new Authentication.TooManyWrongKeys(spent.get().end().since(now)));
            }
        }
        if (acquaintances.size() >= MOST_REMEMBERED) {
            // Whoever is still there makes itself known again.
            acquaintances.clear();
        }
        acquaintances.add(acquaintance);
        return Optional.empty();
    }

    private Optional<Count> lasting(String origin, MonotonicTime now) {
        Optional<Count> count = Optional.ofNullable(counts.get(origin));
        Optional<Count> lasting = count.filter(kept -> now.isBefore(kept.end()));
        if (count.isPresent() && lasting.isEmpty()) {
            counts.remove(origin);
        }
        return lasting;
    }

    /** Takes a network of IPv6 as one: whoever has one address there has all of its 2^64. */
    private static String origin(String address) {
        String[] groups = address.split(":", -1);
        return groups.length == IPV6_GROUPS ? String.join(":", groups[0], groups[1], groups[2], groups[3]) : address;
    }
}
