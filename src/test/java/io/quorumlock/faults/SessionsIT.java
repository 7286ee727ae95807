// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.EventReader;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions on two replicas while clients, connections and replicas fail. */
@Tag("nightly")
@Proves("N")
class SessionsIT {
    private static final Duration SLACK = Eventually.LONGEST;
    /** A limit that only a hang exceeds. */
    private static final Duration LONG = Duration.ofMinutes(2);

    private static final int MANY = 200;
    /** Allows a busy machine to miss a majority at first. */
    private static final String PATIENT = "?waitMs=10000&";

    private static final String TOKEN = "token-of-the-session";

    private static List<RedisServer> masters;
    private static ServiceProcess one;
    private static ServiceProcess two;

    @BeforeAll
    static void start() {
        masters = RedisServers.start(5);
        one = ServiceProcess.on(masters);
        two = ServiceProcess.on(masters);
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
        RedisServers.close(masters);
    }

    /** L1 */
    @Test
    void leaseOfKilledClientExpires() {
        killClient("killed/expires?ttlMs=3000");
        Eventually.within(Duration.ofSeconds(3).plus(SLACK), "free", () -> isFree("killed/expires"));
    }

    @Test
    void clientsOfTerminatedReplicaContinueAtAnother() {
        String session = "/sessions/moves" + PATIENT + "ttlMs=30000&token=" + TOKEN;
        try (ServiceProcess ending = ServiceProcess.on(masters);
                EventReader before = EventReader.post(ending.uri(), session)) {
            String lease = before.data("lease");
            ending.terminate();
            assertTrue(before.data("ended").startsWith("{\"reason\":\"shutdown\",\"validityMs\":2"));
            try (EventReader after = EventReader.post(two.uri(), session)) {
                assertEquals(fence(lease), fence(after.data("lease")));
                after.data("extended");
            }
            assertEquals(0, ending.exitCode() % 143);
        }
    }

    /** N */
    @Test
    void closedSessionsLeaveNothingBehind() {
        openAndDisconnect("quorumlock_sessions", i -> {
            EventReader session =
                    EventReader.post(one.uri(), "/sessions/many/" + i + PATIENT + "ttlMs=20000&token=" + TOKEN + i);
            session.data("lease");
            return session;
        });
        Eventually.within(LONG, "free", () -> {
            LockClient.Answer listing = one.client().get("/locks?prefix=many/");
            return listing.status() == 200 && listing.body().get("locks").isEmpty();
        });
    }

    /** N */
    @Test
    void closedEventStreamsLeaveNothingBehind() {
        openAndDisconnect(
                "quorumlock_event_streams",
                i -> new EventReader(one.uri(), i % 2 == 0 ? "/events" : "/events?name=many/" + i));
    }

    private void openAndDisconnect(String gauge, IntFunction<EventReader> opening) {
        List<EventReader> readers = new ArrayList<>();
        IntStream.range(0, MANY).forEach(i -> readers.add(opening.apply(i)));
        Eventually.within(LONG, "all streams open", () -> count(gauge) == MANY);
        readers.forEach(EventReader::close);
        Eventually.within(LONG, "all streams ended", () -> count(gauge) == 0);
    }

    private void killClient(String resourceAndQuery) {
        String resource = resourceAndQuery.split("\\?")[0];
        String url = one.uri() + "/sessions/" + resourceAndQuery.replaceFirst("\\?", PATIENT);
        try {
            Process client = new ProcessBuilder("curl", "-sN", "-X", "POST", url)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Eventually.within(LONG, "held", () -> !isFree(resource));
            client.destroyForcibly().onExit().join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String fence(String lease) {
        return lease.replaceAll(".*\"fencingToken\":(\\d+).*", "$1");
    }

    private boolean isFree(String resource) {
        LockClient.Answer answer = two.client().get("/locks/" + resource);
        return answer.status() == 404;
    }

    private int count(String gauge) {
        return one.client().metric(gauge);
    }
}
