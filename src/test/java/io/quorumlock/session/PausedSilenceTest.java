// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.session.Heartbeats.BeatOutcome;
import io.quorumlock.session.SessionEvent.SessionEndReason;
import io.quorumlock.session.Sessions.SessionTerms.WhenGone;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** S1: a silent session at a replica that is paused while it reads the last heartbeats. Late timers run before them. */
class PausedSilenceTest {
    private static final Duration BEAT = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(300);

    private final FakeFleet fleet = new FakeFleet(5);
    private final FakeBeats beats = new FakeBeats();
    private final List<SessionEndReason> ends = new ArrayList<>();
    private final List<Runnable> late = new ArrayList<>();
    private boolean paused;

    PausedSilenceTest() {
        EngineContext context = fleet.time.engineContext(3);
        SessionManager sessions = new SessionManager(
                fleet.engine,
                beats,
                new Sessions.Bounds(5, Duration.ofMinutes(1)),
                new EngineContext(
                        context.clock(), context.wallClock(), this::schedule, context.loop(), context.random()),
                ends::add);
        new TestSession(sessions, SessionFixture.terms(A, Optional.of(BEAT), WhenGone.RELEASE));
        fleet.time.pass(BEAT.plusMillis(5));
        pause();
    }

    /** Another replica has confirmed it to the client, which relies on that. */
    @Test
    void readsHeartbeatOfPause() {
        assertEquals(new BeatOutcome.Heard(), beats.send(RESOURCE, A).join());
        fleet.time.pass(BEAT.dividedBy(2));
        assertEquals(List.of(), ends);
        assertEquals(5, fleet.holding());
    }

    @Test
    void endsWithoutHeartbeat() {
        fleet.time.pass(BEAT.dividedBy(10));
        assertEquals(List.of(SessionEndReason.SILENT), ends);
    }

    /** A replica without enough CPU time. */
    @Test
    void endsThoughAllTimersAreLate() {
        for (int i = 1; i < 10; i++) {
            assertEquals(List.of(), ends, "after " + i + " pauses");
            fleet.time.pass(Duration.ofMillis(1));
            pause();
        }
        assertEquals(List.of(SessionEndReason.SILENT), ends);
    }

    private void pause() {
        paused = true;
        fleet.time.pass(PAUSE);
        paused = false;
        List<Runnable> due = List.copyOf(late);
        late.clear();
        due.forEach(Runnable::run);
    }

    private Scheduler.Timer schedule(Duration delay, Runnable task) {
        AtomicBoolean cancelled = new AtomicBoolean();
        Runnable unlessCancelled = () -> {
            if (!cancelled.get()) {
                task.run();
            }
        };
        fleet.time.after(delay, () -> {
            if (paused) {
                late.add(unlessCancelled);
            } else {
                unlessCancelled.run();
            }
        });
        return () -> cancelled.set(true);
    }
}
