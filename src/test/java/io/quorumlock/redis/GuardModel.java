// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static io.quorumlock.redis.SimulatedReply.list;
import static io.quorumlock.redis.SimulatedReply.number;
import static io.quorumlock.redis.SimulatedReply.text;

import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.stream.Collectors;

/** A model of {@code admit.lua} in Java, which is faster than the script. */
public final class GuardModel implements GuardStore {
    private static final long RAISE_EVERY = 500;
    private static final long OVERDUE = 1_500;
    private static final String KEEPS = "1";

    private final MonotonicClock clock;
    private State state = new State(null, Key.NONE, Key.NONE);

    /** The stored keys. */
    private record State(Marker marker, Key cold, Key longest) {}

    private record Marker(String runId, String nodes, String keeps, String id, long age, String others, long witness) {
        Marker witnessed() {
            return new Marker(runId, nodes, keeps, id, age, others, age);
        }
    }

    /** A number with an expiry. */
    private record Key(long value, MonotonicTime end) {
        static final Key NONE = new Key(0, null);

        /** Rounds like Redis, to whole milliseconds. */
        long left(MonotonicTime now) {
            return end == null ? 0 : Math.max(0, (end.since(now).toNanos() + 500_000) / 1_000_000);
        }

        Key at(MonotonicTime now) {
            return end != null && now.isBefore(end) ? this : NONE;
        }
    }

    private record Question(
            String runId,
            String nodes,
            String keeps,
            long quarantine,
            long told,
            String occasion,
            String id,
            long age,
            String newId,
            String others) {
        Question(String[] args) {
            this(
                    args[0],
                    args[1],
                    args[2],
                    Long.parseLong(args[3]),
                    Long.parseLong(args[4]),
                    args[5],
                    args[6],
                    Long.parseLong(args[7]),
                    args[8],
                    args[9]);
        }
    }

    /** @param clock the server's clock since the epoch, which determines expiry */
    public GuardModel(MonotonicClock clock) {
        this.clock = clock;
    }

    @Override
    public Response admit(String[] args) {
        Marker marker = state.marker();
        expire();
        if (args[5].equals("look")) {
            return marker == null ? answer("", 0, "") : answer(marker.id(), marker.age(), marker.others());
        }
        Question asked = new Question(args);
        if (marker != null && !marker.nodes().equals(asked.nodes())) {
            return list(number(3), number(Long.parseLong(marker.nodes())));
        }
        boolean mayBeNew = marker == null
                && asked.keeps().equals(KEEPS)
                && asked.occasion().equals("ask");
        return mayBeNew && asked.id().isEmpty() ? list(number(2)) : decide(asked, marker);
    }

    private Response decide(Question asked, Marker marker) {
        MonotonicTime now = clock.now();
        Key cold = state.cold();
        Key unchanged = cold;
        Key longest = state.longest();
        boolean lost = isLost(asked, marker, cold);
        long length = Math.max(Math.max(asked.quarantine(), asked.told()), longest.value());
        if (lost || asked.occasion().equals("stepped")) {
            cold = new Key(length, now.plus(Duration.ofMillis(length)));
        } else if (cold.end() != null && length > cold.value()) {
            cold = new Key(length, now.plus(Duration.ofMillis(cold.left(now) + length - cold.value())));
        } else if (cold.end() != null && cold.left(now) > cold.value()) {
            cold = new Key(length, now.plus(Duration.ofMillis(length)));
        }
        boolean must =
                lost || !asked.occasion().equals("check") || !asked.keeps().equals(marker.keeps());
        long millis = now.nanos() / 1_000_000;
        if (!must && cold == unchanged && marker.witness() != marker.age() && millis - marker.age() < OVERDUE) {
            state = new State(marker.witnessed(), cold, longest);
            return answer(marker.id(), marker.age(), marker.others());
        }
        if (asked.quarantine() >= longest.value() && longest.left(now) < asked.quarantine() - RAISE_EVERY) {
            longest = new Key(asked.quarantine(), now.plus(Duration.ofMillis(asked.quarantine())));
        }
        state = new State(marked(asked, marker, lost, must, millis), cold, longest);
        return answer(state.marker().id(), state.marker().age(), state.marker().others());
    }

    private static boolean isLost(Question asked, Marker marker, Key cold) {
        boolean same = marker != null && marker.runId().equals(asked.runId());
        boolean keptAll = marker != null
                && marker.keeps().equals(KEEPS)
                && asked.keeps().equals(KEEPS)
                && !asked.occasion().equals("check");
        boolean founded = marker == null && asked.occasion().equals("found");
        boolean another =
                marker != null && !asked.id().isEmpty() && !marker.id().equals(asked.id());
        boolean lost = !(same || keptAll || founded)
                || another
                || isOlder(asked, marker)
                || marker != null && marker.witness() > marker.age();
        return lost && !(same && cold.end() != null);
    }

    private static boolean isOlder(Question asked, Marker marker) {
        return (marker == null ? 0 : marker.age()) < asked.age();
    }

    private static Marker marked(Question asked, Marker marker, boolean lost, boolean must, long now) {
        String id = !lost && marker != null ? marker.id() : asked.id().isEmpty() ? asked.newId() : asked.id();
        long before = marker == null ? 0 : marker.age();
        String others = marker == null ? "" : marker.others();
        long witness = marker == null ? 0 : marker.witness();
        long raised = before;
        if (lost || isOlder(asked, marker) || Math.abs(now - before) >= RAISE_EVERY) {
            raised = Math.max(Math.max(before + 1, asked.age() + 1), Math.max(witness + 1, now));
            others = merged(others + " " + asked.others(), 2 * Integer.parseInt(asked.nodes()));
        }
        return must || raised != before
                ? new Marker(asked.runId(), asked.nodes(), asked.keeps(), id, raised, others, witness)
                : marker;
    }

    private static String merged(String ages, int most) {
        Map<String, Long> byId = new LinkedHashMap<>();
        StringTokenizer words = new StringTokenizer(ages, " ");
        while (words.hasMoreTokens()) {
            String age = words.nextToken();
            int equals = age.lastIndexOf('=');
            byId.merge(age.substring(0, equals), Long.parseLong(age.substring(equals + 1)), Math::max);
        }
        if (byId.isEmpty()) {
            return "";
        }
        return byId.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(most)
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    private Response answer(String id, long age, String others) {
        MonotonicTime now = clock.now();
        return list(
                number(1),
                number(state.cold().left(now)),
                text(id),
                number(age),
                number(state.longest().value()),
                text(others));
    }

    /** Removes expired keys permanently: a clock that steps back later does not restore them. */
    private void expire() {
        MonotonicTime now = clock.now();
        state = new State(state.marker(), state.cold().at(now), state.longest().at(now));
    }

    @Override
    public boolean isQuarantined() {
        expire();
        return state.cold().end() != null;
    }

    @Override
    public void endQuarantine() {
        state = new State(state.marker(), Key.NONE, state.longest());
    }

    @Override
    public void clear() {
        state = new State(null, Key.NONE, Key.NONE);
    }

    @Override
    public Runnable snapshot() {
        State kept = state;
        return () -> state = kept;
    }
}
