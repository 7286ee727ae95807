// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The keys of an in-memory Redis: strings and hashes with expiry. */
final class Keyspace {
    private final Map<String, Entry> entries = new HashMap<>();
    private final MonotonicClock clock;

    /**
     * A key: a string or a hash.
     *
     * @param value of a string; null for a hash
     * @param hash null for a string
     * @param end null for a key without expiry
     */
    record Entry(String value, Map<String, String> hash, MonotonicTime end) {}

    Keyspace(MonotonicClock clock) {
        this.clock = clock;
    }

    void clear() {
        entries.clear();
    }

    void copy(Keyspace other) {
        entries.clear();
        entries.putAll(other.entries);
    }

    Runnable snapshot() {
        Map<String, Entry> kept = Map.copyOf(entries);
        return () -> {
            entries.clear();
            entries.putAll(kept);
        };
    }

    /** Returns the keys that have not expired. */
    List<String> keys() {
        return List.copyOf(entries.keySet()).stream()
                .filter(key -> get(key) != null)
                .toList();
    }

    /** Returns a key; null if it does not exist. */
    Entry get(String key) {
        Entry entry = entries.get(key);
        if (entry != null && entry.end() != null && !clock.now().isBefore(entry.end())) {
            entries.remove(key);
            return null;
        }
        return entry;
    }

    /** Returns the fields of a hash; none if it does not exist. */
    Map<String, String> hash(String key) {
        Entry entry = get(key);
        return entry == null ? Map.of() : entry.hash();
    }

    /** @param end null for no expiry */
    void set(String key, String value, MonotonicTime end) {
        entries.put(key, new Entry(value, null, end));
    }

    boolean delete(String key) {
        return entries.remove(key) != null;
    }

    void setField(String key, String field, String value) {
        Map<String, String> next = new TreeMap<>(hash(key));
        next.put(field, value);
        replace(key, next);
    }

    boolean deleteField(String key, String field) {
        Map<String, String> next = new TreeMap<>(hash(key));
        boolean removed = next.remove(field) != null;
        replace(key, next);
        return removed;
    }

    private void replace(String key, Map<String, String> next) {
        Entry before = get(key);
        if (next.isEmpty()) {
            entries.remove(key);
        } else {
            entries.put(key, new Entry(null, next, before == null ? null : before.end()));
        }
    }

    boolean expire(String key, Duration after) {
        Entry before = get(key);
        if (before != null) {
            entries.put(
                    key, new Entry(before.value(), before.hash(), clock.now().plus(after)));
        }
        return before != null;
    }
}
