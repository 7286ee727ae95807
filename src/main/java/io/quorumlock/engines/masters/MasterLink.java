// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.loop.Backoff;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.redis.Call;
import io.quorumlock.engines.redis.ClientErrors;
import io.quorumlock.engines.redis.Command;
import io.quorumlock.engines.redis.CommandPipeline;
import io.quorumlock.engines.redis.LinkSettings;
import io.quorumlock.engines.redis.MasterAddress;
import io.quorumlock.engines.redis.MasterConnection;
import io.quorumlock.engines.redis.MasterConnection.MasterConnector;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The link to one master: keeps a connection open, reconnects after a failure, and tracks whether the master may vote. Events of an
 * earlier connection are ignored.
 */
final class MasterLink {
    private final String alias;
    private final MasterAddress address;
    private final MasterConnector connector;
    private final FleetContext context;
    private final LinkSettings settings;
    private final EngineContext engineContext;
    private final LinkStatus status;
    private final LinkLog log;
    private final Backoff backoff;
    private final MasterClockWatch clockWatch;
    private final FirstContact firstContact = new FirstContact();

    private ActiveConnection current;
    private boolean hasEventListeners;
    private boolean closed;

    MasterLink(
            String alias,
            MasterAddress address,
            MasterConnector connector,
            LinkSettings settings,
            EngineContext engineContext,
            FleetContext context) {
        this.alias = alias;
        this.address = address;
        this.connector = connector;
        this.context = context;
        this.settings = settings;
        this.engineContext = engineContext;
        this.log = new LinkLog(alias, address);
        this.status = new LinkStatus(alias, address, engineContext.clock(), context.votersChanged());
        this.backoff =
                new Backoff(LinkSettings.FIRST_RECONNECT, LinkSettings.LONGEST_RECONNECT, engineContext.random());
        this.clockWatch = new MasterClockWatch(
                this::sendHeartbeat, this::clockStepped, status, log, context.clocks(), context.guard(), engineContext);
    }

    LinkStatus status() {
        return status;
    }

    FirstContact firstContact() {
        return firstContact;
    }

    MasterClockWatch clockWatch() {
        return clockWatch;
    }

    /** Returns whether a replica subscribes to lock events on this master. */
    boolean hasEventListeners() {
        return hasEventListeners;
    }

    /** Sends a command and measures it. Without a connection it fails at once, and is not queued for a later one. */
    void send(Call call, Command.Listener caller) {
        MonotonicTime enqueued = engineContext.clock().now();
        Command command = new Command(call, enqueued, new Command.Listener() {
            @Override
            public void answered(Response response) {
                Duration elapsed = engineContext.clock().now().since(enqueued);
                status.measured(elapsed);
                context.listener().answered(alias, call.operation().command(), elapsed);
                caller.answered(response);
            }

            @Override
            public void failed(ServerFailure reason, boolean sent) {
                recordFailure(reason, context.stalls().explain(reason, enqueued));
                caller.failed(reason, sent);
            }
        });
        if (isConnected()) {
            current.pipeline().enqueue(command);
        } else {
            command.fail(status.abstention());
        }
    }

    /** Records a failed command in the status and the metrics. */
    void recordFailure(ServerFailure reason, Optional<String> why) {
        status.failed(reason, why);
        context.listener().failed(alias, reason);
    }

    /**
     * Records the answer to a heartbeat.
     *
     * @param listeners number of subscribers to lock events, on all replicas
     */
    void heartbeatAnswered(int listeners) {
        status.heartbeatAnswered();
        hasEventListeners = listeners > 0;
    }

    void open() {
        connect(settings.firstConnectTimeout());
    }

    private void connect(Duration timeout) {
        MonotonicTime begun = engineContext.clock().now();
        connector
                .connect(timeout)
                .onSuccess(this::connected)
                .onFailure(cause -> connectFailed(cause, begun, begun.plus(timeout)));
    }

    private void connectLater(Duration delay) {
        engineContext.scheduler().after(delay, () -> {
            if (!closed) {
                connect(settings.connectTimeout());
            }
        });
    }

    private void connectFailed(Throwable cause, MonotonicTime begun, MonotonicTime due) {
        ServerFailure reason = ClientErrors.reason(cause);
        context.stalls().ran(due);
        context.view().disconnected(alias);
        markDown(
                reason,
                context.stalls()
                        .explain(reason, begun)
                        .or(() -> ClientErrors.detailOfConnect(cause, address.isEncrypted())));
        // A busy machine, such as this one during start-up, can cause a timeout. The next attempt decides.
        if (reason != ServerFailure.TIMEOUT) {
            firstContact.succeeded();
        }
        connectLater(backoff.next());
    }

    private void connected(MasterConnection connection) {
        if (closed) {
            connection.close();
            return;
        }
        ServerIdentities.Entry entry =
                context.identities().enter(alias, connection.facts().runId());
        Optional<String> misfit =
                connection.facts().misfit().or(() -> entry.sameAs().map(other -> "is the same server as " + other));
        if (misfit.isPresent()) {
            connection.close();
            firstContact.refused(alias + " (" + address + ") " + misfit.get());
            refused(misfit.get());
            context.identities().leave(alias);
            connectLater(LinkSettings.LONGEST_RECONNECT);
        } else {
            activate(connection, entry.restarted());
        }
    }

    private void activate(MasterConnection connection, boolean restarted) {
        MasterAdmission admission = new MasterAdmission(
                this,
                connection,
                alias,
                address.placeIn(context.masters()),
                context,
                settings.timeout(),
                engineContext);
        current = new ActiveConnection(this, connection, admission, settings, engineContext, context.stalls());
        status.connected(restarted);
        if (restarted) {
            context.listener().restarted(alias);
        }
        if (connection.facts().evicts()) {
            log.evicts(connection.facts().evictionPolicy());
        }
        current.start(settings.connectTimeout());
    }

    private boolean isConnected() {
        return current != null;
    }

    /** Returns whether this is still the connection of the link. */
    boolean isCurrent(MasterConnection connection) {
        return isConnected() && current.connection() == connection && !closed;
    }

    /** Lets the master vote. */
    void admit(MasterConnection connection) {
        if (isCurrent(connection)) {
            status.admitted();
            log.up();
            admitted();
        }
    }

    /** Lets the master vote, and counts it as down: it refuses writes, or its answers are too late. */
    void admitAsDown(MasterConnection connection, ServerFailure reason, String why) {
        if (isCurrent(connection)) {
            status.admittedAsDown(reason, why);
            log.down(reason, Optional.of(why));
            admitted();
        }
    }

    private void admitted() {
        backoff.reset();
        firstContact.succeeded();
        firstContact.up().complete(null);
    }

    /** Keeps a master that may have lost votes from voting for this time (R9). */
    void quarantine(MasterConnection connection, Duration remaining, String why) {
        if (isCurrent(connection)) {
            backoff.reset();
            // The reason for a quarantine stays, for example a step of the clock.
            String reason = status.isQuarantined() ? status.get().detail().orElseThrow() : why;
            if (!status.isQuarantined()) {
                log.quarantined(remaining, reason);
            }
            status.quarantined(engineContext.clock().now().plus(remaining), reason);
            firstContact.succeeded();
        }
    }

    /** Keeps a master from voting until a later check admits it (R2). */
    void withhold(MasterConnection connection, String why) {
        if (isCurrent(connection)) {
            refused(why);
        }
    }

    /** Closes the connection to a server that is not a master of this fleet yet (R2), and tries again later. */
    void refuse(MasterConnection connection, String why) {
        if (isCurrent(connection)) {
            close(ServerFailure.REFUSED);
            refused(why);
            context.identities().leave(alias);
            connectLater(LinkSettings.LONGEST_RECONNECT);
        }
    }

    /** Notes why the server gives no vote. */
    private void refused(String why) {
        log.refused(why);
        status.refused(why);
        firstContact.succeeded();
    }

    /** Closes a connection because of an error, and reconnects. */
    void lose(MasterConnection connection, Throwable cause) {
        lose(connection, ClientErrors.reason(cause), ClientErrors.detail(cause));
    }

    /** Closes a connection that ended or does not respond, and reconnects. */
    void lose(MasterConnection connection, ServerFailure reason, Optional<String> detail) {
        if (!isCurrent(connection)) {
            return;
        }
        CommandPipeline pipeline = current.pipeline();
        current = null;
        context.view().disconnected(alias);
        context.identities().leave(alias);
        MonotonicTime since = engineContext.clock().now().plus(LinkSettings.LONGEST_SILENCE.negated());
        markDown(reason, context.stalls().explain(reason, since).or(() -> detail));
        connection.close();
        connectLater(backoff.next());
        pipeline.close(reason);
    }

    private void markDown(ServerFailure reason, Optional<String> detail) {
        log.down(reason, detail);
        status.down(reason, detail);
    }

    void close() {
        closed = true;
        close(ServerFailure.DISCONNECTED);
    }

    private void close(ServerFailure reason) {
        if (current != null) {
            ActiveConnection ended = current;
            current = null;
            ended.connection().close();
            ended.pipeline().close(reason);
        }
    }

    /** Puts the master into quarantine because its clock stepped: now, or on the next connection. */
    private void clockStepped() {
        if (isConnected()) {
            current.admission().clockStepped();
        }
    }

    /** Checks again whether the master may vote. */
    void check() {
        if (isConnected()) {
            current.admission().check();
        }
    }

    /** Sends a heartbeat, which also reads the master's clock and its marker. */
    private void sendHeartbeat() {
        if (isConnected()) {
            current.sendHeartbeat();
        }
    }

    /**
     * The result of the first connection attempt to a master.
     *
     * @param outcome completes with the reason why the server cannot be a master; empty if it can be one, or is down
     * @param up completes when the master votes for the first time
     */
    record FirstContact(CompletableFuture<Optional<String>> outcome, CompletableFuture<Void> up) {
        FirstContact() {
            this(new CompletableFuture<>(), new CompletableFuture<>());
        }

        void succeeded() {
            outcome.complete(Optional.empty());
        }

        void refused(String why) {
            outcome.complete(Optional.of(why));
        }
    }
}
