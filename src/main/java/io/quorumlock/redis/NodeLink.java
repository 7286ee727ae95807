package io.quorumlock.redis;

import io.quorumlock.lock.NodeEvents;
import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.NodeStatus;
import io.quorumlock.time.Backoff;
import io.quorumlock.time.Moment;
import io.quorumlock.time.Surroundings;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps one connection to one node: dials, admits, notices that it is dead, dials again. Not connected means that commands
 * fail at once; they are never queued for later.
 */
final class NodeLink implements CommandPipeline.Hearer {
    private final String alias;
    private final NodeAddress address;
    private final NodeConnector connector;
    private final Company company;
    private final LinkSettings settings;
    private final Surroundings surroundings;
    private final LinkStatus status;
    private final LinkLog log;
    private final Backoff backoff;
    private final NodeClock nodeClock = new NodeClock();
    private final CompletableFuture<Optional<String>> firstOutcome = new CompletableFuture<>();
    private final CompletableFuture<Void> firstUp = new CompletableFuture<>();

    private NodeConnection line;
    private CommandPipeline pipeline;
    private Doorkeeper doorkeeper;
    private boolean closed;
    private boolean listenedTo;

    /** Is what all links of a fleet share. */
    record Company(Roster roster, RestartGuard guard, Founding founding, NodeEvents events) {}

    NodeLink(
            String alias,
            NodeAddress address,
            NodeConnector connector,
            LinkSettings settings,
            Surroundings surroundings,
            Company company) {
        this.alias = alias;
        this.address = address;
        this.connector = connector;
        this.company = company;
        this.settings = settings;
        this.surroundings = surroundings;
        this.log = new LinkLog(alias, address);
        this.status = new LinkStatus(alias, surroundings.clock());
        this.backoff = new Backoff(LinkSettings.FIRST_RECONNECT, LinkSettings.LONGEST_RECONNECT, surroundings.chance());
    }

    String alias() {
        return alias;
    }

    NodeStatus status() {
        return status.get();
    }

    OptionalLong wallClock() {
        return status.wallClock();
    }

    /** Tells how the first contact went: with the reason why the server can never be a node, or nothing. */
    CompletableFuture<Optional<String>> firstOutcome() {
        return firstOutcome;
    }

    /** Completes when the node is up for the first time. */
    CompletableFuture<Void> firstUp() {
        return firstUp;
    }

    void open() {
        dial(settings.firstConnectTimeout());
    }

    private void dial(Duration most) {
        connector.connect(most).onSuccess(this::receive).onFailure(this::notReached);
    }

    /** Sends a command and measures it; fails it at once where there is no connection. */
    void send(String name, Request request, Command.Listener listener) {
        Moment enqueued = surroundings.clock().now();
        Command command = new Command(request, enqueued, new Command.Listener() {
            @Override
            public void answered(Response response) {
                Duration elapsed = surroundings.clock().now().since(enqueued);
                status.measured(elapsed);
                company.events().answered(alias, name, elapsed);
                listener.answered(response);
            }

            @Override
            public void failed(NodeFailure reason, boolean sent) {
                noVote(reason);
                listener.failed(reason, sent);
            }
        });
        if (pipeline == null) {
            command.fail(abstention());
        } else {
            pipeline.enqueue(command);
        }
    }

    /** Notes a command that brought no vote. */
    void noVote(NodeFailure reason) {
        status.failed(reason);
        company.events().failed(alias, reason);
    }

    /** Notes a command that brought one. */
    void voted() {
        status.voted();
    }

    void close() {
        closed = true;
        close(NodeFailure.DISCONNECTED);
    }

    private void close(NodeFailure reason) {
        if (pipeline != null) {
            CommandPipeline ended = pipeline;
            pipeline = null;
            line.close();
            ended.close(reason);
        }
    }

    private void receive(NodeConnection dialed) {
        if (closed) {
            dialed.close();
            return;
        }
        Roster.Entry entry = company.roster().enter(alias, dialed.facts().runId());
        Optional<String> misfit =
                dialed.facts().misfit().or(() -> entry.sameAs().map(other -> "is the same server as " + other));
        if (misfit.isPresent()) {
            dialed.close();
            refuse(misfit.get());
        } else {
            connect(dialed, entry.restarted());
        }
    }

    private void connect(NodeConnection dialed, boolean restarted) {
        line = dialed;
        pipeline = new CommandPipeline(line.connection(), settings, surroundings, this);
        CommandPipeline current = pipeline;
        line.connection().endHandler(end -> lose(current, NodeFailure.DISCONNECTED));
        line.connection().exceptionHandler(cause -> lose(current, Failures.reason(cause)));
        status.connected(restarted);
        if (restarted) {
            company.events().restarted(alias);
        }
        if (line.facts().evicts()) {
            log.evicts(line.facts().evictionPolicy());
        }
        doorkeeper = new Doorkeeper(this, current, line, company, surroundings.scheduler());
        doorkeeper.ask(RestartGuard.Occasion.ASK, settings.connectTimeout());
        new Heartbeat(this, current, surroundings.scheduler()).start();
    }

    /** Lets the node vote. */
    void admit(CommandPipeline current) {
        if (isCurrent(current)) {
            backoff.reset();
            status.up();
            log.up();
            firstOutcome.complete(Optional.empty());
            firstUp.complete(null);
        }
    }

    /** Keeps the node, which may have forgotten votes, from voting for a while (R9). */
    void quarantine(CommandPipeline current, Duration left) {
        if (isCurrent(current)) {
            backoff.reset();
            status.quarantined(surroundings.clock().now().plus(left));
            log.quarantined(left);
            firstOutcome.complete(Optional.empty());
        }
    }

    /** Ends the connection to a server that can be no node of this fleet (R2). */
    void turnAway(CommandPipeline current, String why) {
        if (isCurrent(current)) {
            close(NodeFailure.REFUSED);
            refuse(why);
        }
    }

    boolean isCurrent(CommandPipeline asked) {
        return pipeline == asked && !closed;
    }

    /** Says whether the node may vote: connected, and not in quarantine. */
    boolean mayVote() {
        return status.isUp();
    }

    /** Tells why it may not. */
    NodeFailure abstention() {
        NodeFailure problem = status.get().problem().orElse(NodeFailure.DISCONNECTED);
        boolean kept = problem == NodeFailure.QUARANTINED || problem == NodeFailure.REFUSED;
        return kept ? problem : NodeFailure.DISCONNECTED;
    }

    /** Notes how many listen to what happens to locks, on any replica. */
    void listeners(int count) {
        listenedTo = count > 0;
    }

    boolean isListenedTo() {
        return listenedTo;
    }

    void heard() {
        status.heard();
    }

    @Override
    public void timeWas(CommandPipeline current, Moment sent, Moment received, long micros) {
        status.clockRead(received, micros / 1_000, surroundings.wallClock().millis());
        Duration moved = nodeClock.read(sent, received, micros);
        if (!moved.isZero() && isCurrent(current)) {
            log.clockStepped(moved);
            // At once: the votes that came with this reading are not counted any more.
            company.guard().suspicion().ifPresent(left -> status.quarantined(received.plus(left)));
            doorkeeper.ask(RestartGuard.Occasion.STEPPED, settings.connectTimeout());
        }
    }

    private void refuse(String why) {
        if (!status.isRefused()) {
            log.refused(why);
        }
        status.refused(why);
        firstOutcome.complete(Optional.of(alias + " (" + address + ") " + why));
        dialLater(LinkSettings.LONGEST_RECONNECT);
    }

    private void notReached(Throwable cause) {
        NodeFailure reason = Failures.reason(cause);
        isDown(reason, Failures.detail(cause));
        // A time-out may be the fault of a busy machine, our own at its start: the next attempt tells.
        if (reason != NodeFailure.TIMEOUT) {
            firstOutcome.complete(Optional.empty());
        }
        dialLater(backoff.next());
    }

    /** Gives up a connection that ended or is as good as dead. */
    void lose(CommandPipeline lost, NodeFailure reason) {
        if (pipeline != lost || closed) {
            return;
        }
        pipeline = null;
        company.founding().leave(alias);
        isDown(reason, Optional.empty());
        line.close();
        dialLater(backoff.next());
        lost.close(reason);
    }

    /** Logs the first of many attempts that fail alike. */
    private void isDown(NodeFailure reason, Optional<String> detail) {
        if (status.isUp() || !status.get().problem().equals(Optional.of(reason))) {
            log.down(reason, detail);
        }
        status.down(reason, detail);
    }

    private void dialLater(Duration delay) {
        surroundings.scheduler().after(delay, () -> {
            if (!closed) {
                dial(settings.connectTimeout());
            }
        });
    }

    @Override
    public void batchFailed(NodeFailure reason) {
        if (reason == NodeFailure.NOSCRIPT && pipeline != null) {
            line.loadScripts();
        }
    }
}
