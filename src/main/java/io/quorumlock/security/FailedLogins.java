// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.security;

import io.quorumlock.security.Authenticator.Authentication;
import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The counts of wrong keys by client address. After ten wrong keys within a minute, requests from the address are
 * rejected for a minute. Keys that the address used before are still accepted. Otherwise one misconfigured client would
 * prevent all others behind the same proxy from extending their leases.
 */
final class FailedLogins {
    static final int MOST = 10;
    static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int MOST_REMEMBERED = 10_000;
    private static final int IPV6_BYTES = 16;

    private final MonotonicClock clock;
    private final Set<KnownKey> knownKeys = ConcurrentHashMap.newKeySet();
    /** Guarded by its own monitor. If it has too many entries, the oldest is removed. */
    private final Map<String, Count> counts = new LinkedHashMap<>();

    private record KnownKey(String origin, KeyId key) {}

    /** The number of wrong keys, and the time at which the count ends. */
    private record Count(int wrong, MonotonicTime end) {
        boolean isSpent() {
            return wrong >= MOST;
        }
    }

    FailedLogins(MonotonicClock clock) {
        this.clock = clock;
    }

    /** Counts a wrong key and returns the outcome. */
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

    /** Returns the rejection of a valid key, if its address is rejected. */
    Optional<Authentication> rightKey(String address, KeyId key) {
        String origin = origin(address);
        KnownKey knownKey = new KnownKey(origin, key);
        if (knownKeys.contains(knownKey)) {
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
        if (knownKeys.size() >= MOST_REMEMBERED) {
            // Addresses in use are added again by their next request.
            knownKeys.clear();
        }
        knownKeys.add(knownKey);
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

    /**
     * Returns the address, or the /64 network of an IPv6 address, because one client usually has a whole /64 network.
     */
    private static String origin(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            // With a colon it is a literal, which is not looked up.
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return bytes.length == IPV6_BYTES ? HexFormat.of().formatHex(bytes, 0, IPV6_BYTES / 2) : address;
        } catch (UnknownHostException noAddress) {
            return address;
        }
    }
}
