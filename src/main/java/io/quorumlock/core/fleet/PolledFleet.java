// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.fleet;

import io.quorumlock.core.fleet.PolledServer.State;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.core.loop.Scheduler;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/**
 * The servers of a store, each asked for its state every two seconds. A server is up while it takes part: it has contact to a
 * leader. Whether locks are available depends on the connection for calls alone, which needs one such server.
 */
public final class PolledFleet implements Fleet {
    private static final Logger LOG = Logger.getLogger(PolledFleet.class);
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final String STATUS = "status";
    private static final Set<String> LEADING = Set.of("leader", "standalone");
    private static final State LATE = State.of(ServerFailure.TIMEOUT, "no answer in time");

    private final List<Member> members;
    private final BooleanSupplier ready;
    private final Duration timeout;
    private final EngineContext engineContext;
    private final ServerListener listener;
    private volatile boolean closed;

    /**
     * @param ready whether calls can be sent; may be called from any thread
     * @param timeout of one question to a server
     */
    public PolledFleet(
            List<? extends PolledServer> servers,
            BooleanSupplier ready,
            Duration timeout,
            EngineContext engineContext,
            ServerListener listener) {
        this.ready = ready;
        this.timeout = timeout;
        this.engineContext = engineContext;
        this.listener = listener;
        this.members = IntStream.range(0, servers.size())
                .mapToObj(place -> new Member("node-" + (place + 1), servers.get(place)))
                .toList();
    }

    /** Begins to ask. The future completes when the first state of each server is known. May be called from any thread. */
    public CompletableFuture<Void> start() {
        return CompletableFuture.completedFuture(null)
                .thenComposeAsync(
                        begun -> CompletableFuture.allOf(
                                members.stream().map(Member::ask).toArray(CompletableFuture[]::new)),
                        engineContext.loop());
    }

    /** Asks no more. */
    public void close() {
        closed = true;
    }

    @Override
    public List<ServerStatus> servers() {
        return members.stream().map(Member::status).toList();
    }

    @Override
    public int quorum() {
        return members.size() / 2 + 1;
    }

    @Override
    public boolean hasQuorum() {
        return ready.getAsBoolean()
                && members.stream().allMatch(member -> member.otherLeader().isEmpty());
    }

    /** One server, with its last known state. */
    private final class Member {
        private final String alias;
        private final PolledServer server;

        private volatile LastAnswer last =
                new LastAnswer(State.of(ServerFailure.PENDING, "not asked yet"), Optional.empty(), false);
        private Optional<ServerFailure> logged = Optional.of(ServerFailure.PENDING);

        Member(String alias, PolledServer server) {
            this.alias = alias;
            this.server = server;
            listener.expects(alias, List.of(STATUS));
        }

        /** Asks now, and again later. */
        CompletableFuture<Void> ask() {
            MonotonicTime asked = engineContext.clock().now();
            CompletableFuture<State> answer = new CompletableFuture<>();
            Scheduler.Timer timer = engineContext.scheduler().after(timeout, () -> answer.complete(LATE));
            server.ask()
                    .whenComplete((state, failure) -> answer.complete(failure == null ? state : unreachable(failure)));
            return answer.thenAcceptAsync(
                    state -> {
                        timer.cancel();
                        if (!closed) {
                            record(state, asked);
                            engineContext.scheduler().after(PERIOD, this::ask);
                        }
                    },
                    engineContext.loop());
        }

        private void record(State state, MonotonicTime asked) {
            Duration elapsed = engineContext.clock().now().since(asked);
            last = new LastAnswer(state, Optional.of(elapsed), isLeader(state) && isLeader(last.state()));
            State now = state();
            if (!logged.equals(now.problem())) {
                logged = now.problem();
                log(now);
            }
            now.problem()
                    .ifPresentOrElse(
                            problem -> listener.failed(alias, problem),
                            () -> listener.answered(alias, STATUS, elapsed));
        }

        /** Returns the last state, beside what is known of the other servers. */
        private State state() {
            return server.refusal()
                    .or(this::otherLeader)
                    .map(reason -> State.of(ServerFailure.REFUSED, reason))
                    .orElse(last.state());
        }

        /** Returns what is wrong if this server and another one lead. */
        private Optional<String> otherLeader() {
            return members.stream()
                    .filter(other -> other != this && other.leads() && leads())
                    .findFirst()
                    .map(other -> "leads, as " + other.alias + " does: they belong to two stores");
        }

        private boolean leads() {
            return last.leadsStill() && server.refusal().isEmpty();
        }

        private void log(State state) {
            state.problem()
                    .ifPresentOrElse(
                            problem -> LOG.warnf(
                                    "server down node=%s server=%s reason=%s detail=\"%s\"",
                                    alias,
                                    server.address(),
                                    problem.label(),
                                    state.detail().orElse("")),
                            () -> LOG.infof(
                                    "server up node=%s server=%s role=%s",
                                    alias, server.address(), state.role().orElse("unknown")));
        }

        private ServerStatus status() {
            State state = state();
            boolean up = state.problem().isEmpty();
            return new ServerStatus(
                    alias,
                    server.address(),
                    up,
                    state.problem(),
                    state.detail(),
                    last.latency().filter(known -> up),
                    0,
                    Optional.empty(),
                    Optional.empty(),
                    state.role());
        }
    }

    /**
     * The last answer of a server.
     *
     * @param leadsStill whether it led at the question before, too. A leader may be replaced between the questions to it and to
     *     its successor
     */
    private record LastAnswer(State state, Optional<Duration> latency, boolean leadsStill) {}

    /** A server without others leads itself. */
    private static boolean isLeader(State state) {
        return state.role().filter(LEADING::contains).isPresent();
    }

    private static State unreachable(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return State.of(
                ServerFailure.DISCONNECTED,
                cause instanceof ConnectException
                                && String.valueOf(cause.getMessage()).contains("refused")
                        ? "connection refused"
                        : cause.getClass().getSimpleName() + ": " + cause.getMessage());
    }
}
