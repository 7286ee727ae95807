// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.loop.Durations;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.RecordStore.StoredUptime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The time that replicas have counted so far, as one of them notes it in the store every few seconds while there are long leases. A
 * replica that starts later knows by these notes how long a lease has existed at least, and need not count its TTL again: a long one
 * is over after 1.25 times its TTL, also if all replicas restart once.
 *
 * <p>A note counts from when its writer knew of the one before until it decided to write, so that no more time is between two notes
 * than between their writes. What was written before a note is as old as the time since that note.
 */
final class Uptime {
    /** A shorter TTL may be counted again. */
    private static final Duration LONG = Duration.ofMinutes(1);
    /** The longest TTL that any replica may be set to. Older notes are not needed. */
    private static final long OLDEST_MILLIS = Duration.ofHours(24).toMillis();
    /** Between two notes is at most this part of their age, or a period. */
    private static final int PRECISION = 8;

    private final Duration longTtl;
    private final MonotonicClock clock;
    private Optional<StoredUptime> stored = Optional.empty();
    private MonotonicTime learnedAt;
    private MonotonicTime neededUntil;
    /** Empty until they are asked for. */
    private Optional<NavigableMap<Long, Long>> notes = Optional.empty();

    private record Note(long revision, long uptime) {
        static Note parse(String text) {
            String[] fields = text.split(":", 2);
            return new Note(Long.parseLong(fields[0]), Long.parseLong(fields[1]));
        }

        @Override
        public String toString() {
            return revision + ":" + uptime;
        }
    }

    /** @param ttlMax the longest TTL of a lease; half of it is long if that is less than a minute */
    Uptime(Duration ttlMax, MonotonicClock clock) {
        this.longTtl = Durations.min(LONG, ttlMax.dividedBy(2));
        this.clock = clock;
        this.neededUntil = clock.now().plus(longTtl); // Leases that were there before are read later.
    }

    /** Returns the time after which a note follows another. */
    Duration period() {
        return longTtl.dividedBy(PRECISION);
    }

    /** Keeps notes needed until a lease of this duration would end. */
    void sawLease(Duration lasts) {
        MonotonicTime end = clock.now().plus(lasts);
        if (lasts.compareTo(longTtl) >= 0 && neededUntil.isBefore(end)) {
            neededUntil = end;
        }
    }

    /** Learns what is stored. An old report is ignored. */
    void learn(StoredUptime read) {
        if (stored.isEmpty() || stored.get().revision() < read.revision()) {
            stored = Optional.of(read);
            learnedAt = clock.now();
            notes = Optional.empty();
        }
    }

    /** Returns a time when a write had certainly taken effect: the given one, or an earlier one by the notes. */
    MonotonicTime since(long revision, MonotonicTime seen) {
        if (stored.isEmpty() || stored.get().revision() < revision) {
            return seen;
        }
        return Optional.ofNullable(notes().ceilingEntry(revision))
                .map(note -> learnedAt.plus(Duration.ofMillis(note.getValue() - last())))
                .filter(counted -> counted.isBefore(seen))
                .orElse(seen);
    }

    /** Returns the uptime in milliseconds at each note, by the revision of the note. */
    private NavigableMap<Long, Long> notes() {
        if (notes.isEmpty()) {
            notes = Optional.of(parse(stored()));
        }
        return notes.get();
    }

    /** Empty text, and that of another program, begins a new count. */
    private static NavigableMap<Long, Long> parse(StoredUptime read) {
        NavigableMap<Long, Long> parsed = new TreeMap<>();
        String[] texts = read.text().split(" ");
        try {
            for (int i = 1; i < texts.length; i++) {
                Note note = Note.parse(texts[i]);
                parsed.put(note.revision(), note.uptime());
            }
            parsed.put(read.revision(), Long.parseLong(texts[0]));
            return parsed;
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException notOurs) {
            return new TreeMap<>();
        }
    }

    private long last() {
        return notes().isEmpty() ? 0 : notes().lastEntry().getValue();
    }

    StoredUptime stored() {
        return stored.orElseThrow();
    }

    /** Returns the text of the next note, with the earlier ones that are still needed; empty without a long lease. */
    Optional<String> next() {
        return stored.filter(read -> clock.now().isBefore(neededUntil)).map(read -> {
            long now = last() + clock.now().since(learnedAt).toMillis();
            return now + kept(now).stream().map(note -> " " + note).collect(Collectors.joining());
        });
    }

    private List<Note> kept(long now) {
        List<Note> kept = new ArrayList<>();
        notes().descendingMap().forEach((revision, uptime) -> {
            int last = kept.size() - 1;
            if (last >= 0 && now - kept.get(last).uptime() >= OLDEST_MILLIS) {
                return;
            }
            if (last > 0 && (kept.get(last - 1).uptime() - uptime) * PRECISION <= now - uptime) {
                kept.remove(last);
            }
            kept.add(new Note(revision, uptime));
        });
        return kept;
    }
}
