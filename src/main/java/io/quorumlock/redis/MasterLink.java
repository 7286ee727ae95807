// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.MasterFailure;
import io.quorumlock.lock.MasterStatus;
import io.quorumlock.redis.MasterConnection.MasterConnector;
import io.quorumlock.redis.RedisFleet.FleetContext;
import io.quorumlock.time.Backoff;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The link to one master: keeps a connection open, reconnects after a failure, and tracks whether the master may vote. */
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
    private final MasterCommands commands;
    private final FirstContact firstContact = new FirstContact();

    private ActiveConnection current;
    private boolean closed;
    private boolean hasEventListeners;

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
        this.clockWatch = new MasterClockWatch(this, status, log, context, engineContext);
        this.commands = new MasterCommands(alias, status, context.listener(), engineContext.clock(), context.stalls());
    }

    String alias() {
        return alias;
    }

    /** Returns the place of the master in the list of masters. */
    int place() {
        return address.placeIn(context.masters());
    }

    MasterStatus status() {
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
        MasterFailure reason = ClientErrors.reason(cause);
        context.stalls().ran(due);
        context.view().disconnected(alias);
        markDown(
                reason,
                context.stalls()
                        .explain(reason, begun)
                        .or(() -> ClientErrors.detailOfConnect(cause, address.isEncrypted())));
        // A busy machine, such as this one during start-up, can cause a timeout. The next attempt decides.
        if (reason != MasterFailure.TIMEOUT) {
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
        current = new ActiveConnection(this, connection, settings, engineContext, context);
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

    boolean isConnected() {
        return current != null;
    }

    boolean isCurrent(ActiveConnection connection) {
        return current == connection && !closed;
    }

    /**
     * Lets the master vote.
     *
     * @param refusal the error of a master that refuses writes; empty if it accepts them
     */
    void admit(ActiveConnection connection, Optional<String> refusal) {
        if (isCurrent(connection)) {
            backoff.reset();
            status.admitted(refusal);
            refusal.ifPresentOrElse(words -> log.down(MasterFailure.ofError(words), refusal), log::up);
            firstContact.succeeded();
            firstContact.up().complete(null);
        }
    }

    /** Keeps a master that may have lost votes from voting for this time (R9). */
    void quarantine(ActiveConnection connection, Duration remaining, String why) {
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

    /** Closes the connection to a server that is not a master of this fleet yet, because of other replicas (R2). */
    void refuseForNow(ActiveConnection connection, String why) {
        if (isCurrent(connection)) {
            close(MasterFailure.REFUSED);
            refused(why);
            context.identities().leave(alias);
            connectLater(LinkSettings.LONGEST_RECONNECT);
        }
    }

    /** Notes why the server gives no vote. */
    void refused(String why) {
        log.refused(why);
        status.refused(why);
        firstContact.succeeded();
    }

    /** Closes a connection because of an error, and reconnects. */
    void lose(ActiveConnection lost, Throwable cause) {
        lose(lost, ClientErrors.reason(cause), ClientErrors.detail(cause));
    }

    /** Closes a connection that ended or does not respond, and reconnects. */
    void lose(ActiveConnection lost, MasterFailure reason, Optional<String> detail) {
        if (!isCurrent(lost)) {
            return;
        }
        current = null;
        commands.disconnected();
        context.view().disconnected(alias);
        context.identities().leave(alias);
        MonotonicTime since = engineContext.clock().now().plus(LinkSettings.LONGEST_SILENCE.negated());
        markDown(reason, context.stalls().explain(reason, since).or(() -> detail));
        lost.connection().close();
        connectLater(backoff.next());
        lost.pipeline().close(reason);
    }

    private void markDown(MasterFailure reason, Optional<String> detail) {
        log.down(reason, detail);
        status.down(reason, detail);
    }

    void close() {
        closed = true;
        close(MasterFailure.DISCONNECTED);
    }

    private void close(MasterFailure reason) {
        if (current != null) {
            ActiveConnection ended = current;
            current = null;
            commands.disconnected();
            ended.connection().close();
            ended.pipeline().close(reason);
        }
    }

    /**
     * Notes the answer to a heartbeat.
     *
     * @param listeners number of subscribers to lock events, on all replicas
     */
    void heartbeatAnswered(int listeners) {
        status.heartbeatAnswered();
        hasEventListeners = listeners > 0;
    }

    /** Returns whether a replica subscribes to lock events on this master. */
    boolean hasEventListeners() {
        return hasEventListeners;
    }

    /** Puts the master into quarantine because its clock stepped: now, or on the next connection. */
    void clockStepped() {
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
    void sendHeartbeat() {
        if (isConnected()) {
            current.heartbeat().send();
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
