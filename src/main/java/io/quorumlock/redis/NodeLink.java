package io.quorumlock.redis;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.NodeStatus;
import io.quorumlock.time.Backoff;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Optional;

/** Keeps one connection to one node, and connects again. Without a connection commands fail at once; they are never queued for later. */
final class NodeLink implements CommandPipeline.Hearer {
    private final String alias;
    private final NodeAddress address;
    private final NodeConnector connector;
    private final FleetContext context;
    private final LinkSettings settings;
    private final EngineContext engine;
    private final LinkStatus status;
    private final LinkLog log;
    private final Backoff backoff;
    private final NodeClockWatch clockWatch;
    private final FirstContact firstContact = new FirstContact();

    private NodeConnection line;
    private CommandPipeline pipeline;
    private NodeAdmission admission;
    private NodeHeartbeat heartbeat;
    private boolean closed;
    private boolean listenedTo;

    NodeLink(
            String alias,
            NodeAddress address,
            NodeConnector connector,
            LinkSettings settings,
            EngineContext engine,
            FleetContext context) {
        this.alias = alias;
        this.address = address;
        this.connector = connector;
        this.context = context;
        this.settings = settings;
        this.engine = engine;
        this.log = new LinkLog(alias, address);
        this.status = new LinkStatus(alias, engine.clock());
        this.backoff = new Backoff(LinkSettings.FIRST_RECONNECT, LinkSettings.LONGEST_RECONNECT, engine.random());
        this.clockWatch = new NodeClockWatch(this, status, log, context, engine);
    }

    String alias() {
        return alias;
    }

    NodeStatus status() {
        return status.get();
    }

    FirstContact firstContact() {
        return firstContact;
    }

    void open() {
        dial(settings.firstConnectTimeout());
    }

    private void dial(Duration most) {
        connector.connect(most).onSuccess(this::receive).onFailure(this::notReached);
    }

    /** Sends a command and measures it; fails it at once where there is no connection. */
    void send(String name, Request request, Command.Listener listener) {
        MonotonicTime enqueued = engine.clock().now();
        Command command = new Command(request, enqueued, new Command.Listener() {
            @Override
            public void answered(Response response) {
                Duration elapsed = engine.clock().now().since(enqueued);
                status.measured(elapsed);
                context.events().answered(alias, name, elapsed);
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
        context.events().failed(alias, reason);
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
        ServerIdentities.Entry entry =
                context.identities().enter(alias, dialed.facts().runId());
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
        pipeline = new CommandPipeline(line.connection(), settings, engine, this);
        CommandPipeline current = pipeline;
        line.connection().endHandler(end -> lose(current, NodeFailure.DISCONNECTED));
        line.connection().exceptionHandler(cause -> lose(current, ClientErrors.reason(cause)));
        status.connected(restarted);
        if (restarted) {
            context.events().restarted(alias);
        }
        if (line.facts().evicts()) {
            log.evicts(line.facts().evictionPolicy());
        }
        admission = new NodeAdmission(this, current, line, context, engine.scheduler());
        heartbeat = new NodeHeartbeat(this, current, admission, engine.scheduler());
        admission.open(settings.connectTimeout());
        heartbeat.start();
    }

    /** Lets the node vote. */
    void admit(CommandPipeline current) {
        if (isCurrent(current) && !status.isUp()) {
            backoff.reset();
            status.up();
            log.up();
            firstContact.succeeded();
            firstContact.up().complete(null);
        }
    }

    /** Keeps the node, which may have forgotten votes, from voting for a while (R9). */
    void quarantine(CommandPipeline current, Duration left) {
        if (isCurrent(current)) {
            backoff.reset();
            if (!status.isQuarantined()) {
                log.quarantined(left);
            }
            status.quarantined(engine.clock().now().plus(left));
            firstContact.succeeded();
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

    NodeFailure abstention() {
        return status.abstention();
    }

    /**
     * Notes a sign of life.
     *
     * @param listeners how many listen to what happens to locks, on any replica
     */
    void heard(int listeners) {
        status.heard();
        listenedTo = listeners > 0;
    }

    boolean isListenedTo() {
        return listenedTo;
    }

    @Override
    public void timeWas(CommandPipeline current, MonotonicTime sent, MonotonicTime received, long micros) {
        clockWatch.read(sent, received, micros);
    }

    NodeClockWatch clockWatch() {
        return clockWatch;
    }

    /** Has the node put itself into quarantine because its clock was set; now, or with the next connection. */
    void clockStepped() {
        if (isConnected()) {
            admission.clockStepped();
        }
    }

    boolean isConnected() {
        return pipeline != null;
    }

    /** Asks the node for a sign of life, and with it for its time and its marker. */
    void beat() {
        if (isConnected()) {
            heartbeat.ask();
        }
    }

    private void refuse(String why) {
        if (!status.isRefused()) {
            log.refused(why);
        }
        status.refused(why);
        context.identities().leave(alias);
        firstContact.refused(alias + " (" + address + ") " + why);
        dialLater(LinkSettings.LONGEST_RECONNECT);
    }

    private void notReached(Throwable cause) {
        NodeFailure reason = ClientErrors.reason(cause);
        isDown(reason, ClientErrors.detail(cause));
        // A time-out may be the fault of a busy machine, our own at its start: the next attempt tells.
        if (reason != NodeFailure.TIMEOUT) {
            firstContact.succeeded();
        }
        dialLater(backoff.next());
    }

    /** Gives up a connection that ended or is as good as dead. */
    void lose(CommandPipeline lost, NodeFailure reason) {
        if (pipeline != lost || closed) {
            return;
        }
        pipeline = null;
        context.bootstrap().leave(alias);
        context.identities().leave(alias);
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
        engine.scheduler().after(delay, () -> {
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
