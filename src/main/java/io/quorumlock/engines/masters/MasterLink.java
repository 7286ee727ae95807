// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerStatus;
import io.quorumlock.core.loop.Backoff;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.redis.ClientErrors;
import io.quorumlock.engines.redis.CommandPipeline;
import io.quorumlock.engines.redis.LinkSettings;
import io.quorumlock.engines.redis.MasterAddress;
import io.quorumlock.engines.redis.MasterConnection;
import io.quorumlock.engines.redis.MasterConnection.MasterConnector;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The link to one master: keeps a connection open, reconnects after a failure, and tracks whether the master may vote. */
final class MasterLink implements ConnectionEvents {
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
    private final MasterCommands commands;
    private final FirstContact firstContact = new FirstContact();

    private ActiveConnection current;
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
        this.commands = new MasterCommands(alias, status, context.listener(), engineContext.clock(), context.stalls());
    }

    ServerStatus status() {
        return status.get();
    }

    FirstContact firstContact() {
        return firstContact;
    }

    MasterClockWatch clockWatch() {
        return clockWatch;
    }

    MasterCommands commands() {
        return commands;
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
                status,
                clockWatch,
                context,
                settings.timeout(),
                engineContext);
        current = new ActiveConnection(
                this, connection, admission, commands, clockWatch, settings, engineContext, context.stalls());
        commands.connected(current.pipeline());
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

    @Override
    public boolean isCurrent(MasterConnection connection) {
        return isConnected() && current.connection() == connection && !closed;
    }

    @Override
    public void admit(MasterConnection connection) {
        if (isCurrent(connection)) {
            status.admitted();
            log.up();
            admitted();
        }
    }

    @Override
    public void admitAsDown(MasterConnection connection, ServerFailure reason, String why) {
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

    @Override
    public void quarantine(MasterConnection connection, Duration remaining, String why) {
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

    @Override
    public void withhold(MasterConnection connection, String why) {
        if (isCurrent(connection)) {
            refused(why);
        }
    }

    @Override
    public void refuse(MasterConnection connection, String why) {
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

    @Override
    public void lose(MasterConnection connection, ServerFailure reason, Optional<String> detail) {
        if (!isCurrent(connection)) {
            return;
        }
        CommandPipeline pipeline = current.pipeline();
        current = null;
        commands.disconnected();
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
            commands.disconnected();
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
