// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.core.loop.Scheduler;
import io.quorumlock.engines.masters.RestartGuard.AdmissionResult;
import io.quorumlock.engines.masters.RestartGuard.Question;
import io.quorumlock.engines.redis.ClientErrors;
import io.quorumlock.engines.redis.LinkSettings;
import io.quorumlock.engines.redis.MasterConnection;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The admission of a master on one connection: the decision whether it may vote, which is checked again with each
 * heartbeat (R9).
 */
final class MasterAdmission {
    /**
     * Failures of a check that are ignored: they are temporary, and the master does not vote meanwhile. Ignoring other
     * failures could suppress the check permanently.
     */
    private static final Set<ServerFailure> TEMPORARY =
            EnumSet.of(ServerFailure.BUSY, ServerFailure.LOADING, ServerFailure.NOSCRIPT);

    /** A master counts as slow after so many checks in a row that took longer than the timeout of a command. */
    private static final int LATE_CHECKS = 3;
    /** A slow master counts as up after so many checks in a row in time: more, so that one at the edge does not flap. */
    private static final int TIMELY_CHECKS = 15;

    private final MasterLink link;
    private final MasterConnection connection;
    private final String alias;
    private final int place;
    private final FleetContext context;
    private final Duration commandTimeout;
    private final EngineContext engineContext;
    private int asked;
    private int answered;
    private boolean decided;
    private boolean knownAsNew;
    private int late;
    private int timely;
    /** What to do about a slow master; empty if it is not slow. */
    private Optional<String> slow = Optional.empty();

    /**
     * @param place of the master in the list of masters
     * @param commandTimeout after which votes do not count
     */
    MasterAdmission(
            MasterLink link,
            MasterConnection connection,
            String alias,
            int place,
            FleetContext context,
            Duration commandTimeout,
            EngineContext engineContext) {
        this.link = link;
        this.connection = connection;
        this.alias = alias;
        this.place = place;
        this.context = context;
        this.commandTimeout = commandTimeout;
        this.engineContext = engineContext;
    }

    /**
     * Starts the admission on a new connection.
     *
     * @param timeout for each answer of the master, after which the connection is closed
     */
    void open(Duration timeout) {
        RestartGuard guard = context.guard();
        if (!guard.enabled()) {
            link.admit(connection);
            return;
        }
        if (guard.mastersPersist()) {
            withTimeout(
                    MasterPersistence.flaw(connection.connection()),
                    timeout,
                    flaw -> flaw.ifPresentOrElse(why -> link.refuse(connection, why), () -> readLongest(timeout)));
        } else {
            readLongest(timeout);
        }
    }

    private void readLongest(Duration timeout) {
        withTimeout(context.guard().longest(connection), timeout, longest -> inform(longest, timeout));
    }

    private void inform(Duration longest, Duration timeout) {
        context.view().connected(alias, longest);
        context.view().whenInformed(alias, () -> {
            if (link.isCurrent(connection)) {
                ask(context.guard().mastersPersist(), timeout);
            }
        });
    }

    /** Checks again that the master kept its data, unless a check is in progress. */
    void check() {
        // The name of this master may have led to the server of another master for a moment. The next connection
        // resolves it again.
        if (context.identities().isClaimed(alias)) {
            link.lose(connection, ServerFailure.REFUSED, Optional.empty());
            return;
        }
        if (decided && answered == asked) {
            ask(false, LinkSettings.LONGEST_SILENCE);
        }
    }

    /** Puts the master into quarantine because its clock stepped. Replies to earlier requests are ignored. */
    void clockStepped() {
        if (decided) {
            ask(false, LinkSettings.LONGEST_SILENCE);
        }
    }

    /** @param keptWrites whether the master lost no write before this connection. Its process cannot change during it. */
    private void ask(boolean keptWrites, Duration timeout) {
        int number = ++asked;
        int round = context.view().round();
        boolean stepped = link.clockWatch().isStepped();
        Question question = new Question(
                connection.facts().runId(),
                place,
                context.masters(),
                context.view().longest(),
                keptWrites,
                stepped,
                context.view().founded(alias));
        MonotonicTime sent = engineContext.clock().now();
        // As for votes: an answer that waited in the socket while this replica was paused is in time.
        AtomicBoolean late = new AtomicBoolean();
        engineContext.scheduler().after(commandTimeout, () -> engineContext
                .scheduler()
                .after(LinkSettings.READ_DELAY, () -> late.set(true)));
        Future<AdmissionResult> answer = context.guard().admit(connection, question);
        boolean isCheck = decided && !stepped;
        withTimeout(isCheck ? answer.recover(this::ignoreIfTemporary) : answer, timeout, result -> {
            answered = Math.max(answered, number);
            if (number == asked) {
                boolean changed = context.view().decided(alias, result, round);
                rate(late.get(), engineContext.clock().now().since(sent));
                apply(result, stepped);
                if (changed) {
                    context.checkAll().run();
                }
            }
        });
    }

    private Future<AdmissionResult> ignoreIfTemporary(Throwable cause) {
        ServerFailure reason = ClientErrors.reason(cause);
        if (!TEMPORARY.contains(reason) || !link.isCurrent(connection)) {
            return Future.failedFuture(cause);
        }
        if (reason == ServerFailure.NOSCRIPT) {
            connection.loadScripts();
        }
        return Future.succeededFuture(new AdmissionResult.Unknown());
    }

    /** Compares a check with the timeout of a command. */
    private void rate(boolean isLate, Duration took) {
        late = isLate ? late + 1 : 0;
        timely = isLate ? 0 : timely + 1;
        if (late >= LATE_CHECKS) {
            slow = Optional.of(adviceForSlow(took));
        } else if (timely >= TIMELY_CHECKS) {
            slow = Optional.empty();
        }
    }

    private <T> void withTimeout(Future<T> answer, Duration timeout, Consumer<T> then) {
        Scheduler.Timer timer = engineContext
                .scheduler()
                .after(timeout, () -> link.lose(connection, ServerFailure.TIMEOUT, Optional.empty()));
        answer.onComplete(outcome -> {
            timer.cancel();
            if (!link.isCurrent(connection)) {
                return;
            }
            if (outcome.failed()) {
                link.lose(connection, outcome.cause());
            } else {
                then.accept(outcome.result());
            }
        });
    }

    private void apply(AdmissionResult result, boolean stepped) {
        if (result instanceof AdmissionResult.OtherList other) {
            link.refuse(connection, other.why());
        } else if (result instanceof AdmissionResult.Admitted admitted) {
            admitted(admitted, stepped);
        }
    }

    private void admitted(AdmissionResult.Admitted admitted, boolean stepped) {
        if (admitted.refusal().map(ClientErrors::ofReply).equals(Optional.of(ServerFailure.READONLY))) {
            // The next connection refuses a replica.
            link.lose(connection, ServerFailure.READONLY, admitted.refusal());
            return;
        }
        decided = true;
        boolean isNew = !admitted.newMaster().isEmpty();
        if (stepped) {
            link.clockWatch().confirmed();
        }
        if (link.clockWatch().isSuspected()) {
            return;
        }
        boolean maySoonVote = isNew && (!knownAsNew || context.view().areAllNew());
        knownAsNew = isNew;
        if (maySoonVote && !link.status().mayVote()) {
            // The quarantine ends at once if the whole fleet is new. The next check knows, so it is not reported yet.
            return;
        }
        // A trial without writes ends before the quarantine does, which cures no slow master.
        boolean waits = !admitted.quarantine().isZero()
                && !(slow.isPresent() && context.guard().readOnly());
        if (late > 0 && slow.isEmpty() && !link.status().mayVote()) {
            // The next checks decide at once whether it is slow.
            ask(false, LinkSettings.LONGEST_SILENCE);
        } else if (waits) {
            link.quarantine(connection, admitted.quarantine(), context.guard().advice(admitted.longest()));
        } else if (!link.status().mayVote() && context.view().isOtherListInUse()) {
            link.withhold(
                    connection, "gives no vote until no other master is used by replicas with another list of masters");
        } else if (admitted.refusal().isPresent()) {
            String error = admitted.refusal().get();
            link.admitAsDown(connection, ClientErrors.ofReply(error), error);
        } else if (slow.isPresent()) {
            link.admitAsDown(connection, ServerFailure.SLOW, slow.get());
        } else {
            link.admit(connection);
        }
    }

    private String adviceForSlow(Duration took) {
        // Rounded up: a late answer never seems to be in time.
        long millis = took.plusNanos(999_999).toMillis();
        return "answers after " + millis + " ms, QUORUMLOCK_NODE_TIMEOUT is " + commandTimeout.toMillis() + "ms; write "
                + (2 * millis / 100 + 1) * 100 + "ms";
    }
}
