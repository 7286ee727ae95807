// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.RedisCli;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.time.MonotonicTime;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Comparison of the model of {@code admit.lua} with the script, call by call. */
@Execution(ExecutionMode.CONCURRENT)
class GuardModelContractTest {
    private static final int SEEDS = 200;
    private static final int QUESTIONS = 60;
    private static final String[] KEYS = {"marker", "quarantine", "longest"};
    private static final long DAY = TimeUnit.DAYS.toMillis(1);
    /** Quarantines differ by whole minutes, so that the duration of the test does not matter. */
    private static final long TOLERANCE = TimeUnit.SECONDS.toMillis(30);

    private long millis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    private final GuardModel model = new GuardModel(() -> new MonotonicTime(TimeUnit.MILLISECONDS.toNanos(millis)));

    private enum Answer {
        ADMITTED,
        QUARANTINED,
        NEW,
        REFUSED
    }

    @Test
    void repliesLikeScriptWhileTimePasses() {
        GuardScript script = new GuardScript(() -> new MonotonicTime(TimeUnit.MILLISECONDS.toNanos(millis)));
        Map<Answer, Integer> seen = new EnumMap<>(Answer.class);
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            model.clear();
            script.clear();
            Runnable modelBefore = model.snapshot();
            Runnable scriptBefore = script.snapshot();
            for (int i = 0; i < QUESTIONS; i++) {
                String[] question = question(random, i, millis);
                String expected = script.admit(question).toString();
                Response answer = model.admit(question);
                assertEquals(expected, answer.toString(), "seed " + seed + " " + Arrays.toString(question));
                seen.merge(kind(answer), 1, Integer::sum);
                assertEquals(script.isQuarantined(), model.isQuarantined());
                if (random.nextInt(8) == 0) {
                    modelBefore.run();
                    scriptBefore.run();
                } else if (random.nextInt(8) == 0) {
                    modelBefore = model.snapshot();
                    scriptBefore = script.snapshot();
                }
                millis += random.nextInt(12) == 0 ? -random.nextInt(90_000) : random.nextInt(40_000);
            }
        }
        assertEquals(Answer.values().length, seen.size(), seen::toString);
    }

    @Test
    void repliesLikeRedis() {
        List<RedisServer> servers = RedisServers.start(1);
        try (RedisCli redis = RedisCli.connect(servers.get(0).url())) {
            millis = Long.parseLong(((List<?>) redis.send("TIME")).get(0).toString()) * 1_000;
            for (int seed = 0; seed < SEEDS; seed++) {
                Random random = new Random(seed);
                model.clear();
                redis.send("FLUSHALL");
                for (int i = 0; i < QUESTIONS; i++) {
                    // An age in the future is incremented by one with each check, at any time.
                    String[] question = question(random, i, millis + DAY);
                    if (i == 0) {
                        question[5] = "doubt";
                        question[7] = Long.toString(millis + DAY);
                    }
                    List<?> expected = (List<?>) redis.send(eval(question));
                    compare(expected, texts(model.admit(question)), "seed " + seed + " " + Arrays.toString(question));
                    if (random.nextInt(12) == 0) {
                        redis.send("DEL", KEYS[1]);
                        model.endQuarantine();
                    }
                }
            }
        } finally {
            RedisServers.close(servers);
        }
    }

    private static void compare(List<?> expected, List<String> actual, String question) {
        List<String> texts =
                new ArrayList<>(expected.stream().map(String::valueOf).toList());
        List<String> others = new ArrayList<>(actual);
        if (texts.size() > 2) {
            long off = Long.parseLong(others.set(1, "")) - Long.parseLong(texts.set(1, ""));
            assertTrue(Math.abs(off) < TOLERANCE, () -> question + " remaining " + expected + " " + actual);
        }
        assertEquals(texts, others, question);
    }

    private static String[] eval(String[] question) {
        String[] begin = {"EVAL", LuaScript.ADMIT.source(), "3"};
        return Stream.of(begin, KEYS, question).flatMap(Stream::of).toArray(String[]::new);
    }

    private static List<String> texts(Response answer) {
        return answer.stream().map(Response::toString).toList();
    }

    private static Answer kind(Response answer) {
        return switch (answer.get(0).toInteger()) {
            case 1 -> answer.get(1).toLong() == 0 ? Answer.ADMITTED : Answer.QUARANTINED;
            case 2 -> Answer.NEW;
            default -> Answer.REFUSED;
        };
    }

    /** @param about the approximate age in milliseconds; no two ages are equal */
    private static String[] question(Random random, int number, long about) {
        long age = about + 100 * number;
        return new String[] {
            one(random, "run-1", "run-1", "run-2"),
            one(random, "3", "3", "3", "3", "3", "3", "3", "5"),
            one(random, "1", "1", "0"),
            one(random, "60000", "60000", "120000"),
            one(random, "0", "0", "60000", "180000"),
            one(random, "look", "ask", "ask", "found", "doubt", "stepped", "check", "check", "check", "check"),
            one(random, "", "a", "a", "a", "b"),
            one(random, "0", "0", Long.toString(age - 500), Long.toString(age)),
            "new-" + number,
            one(random, "", "x=" + (age + 1), "x=" + (age + 1) + " y=" + (age + 2), "z" + number + "=" + (age + 3))
        };
    }

    private static String one(Random random, String... texts) {
        return texts[random.nextInt(texts.length)];
    }
}
