// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.fleet.ServerFailure;
import io.quorumlock.redis.RestartGuard.AdmissionResult;
import io.quorumlock.redis.RestartGuard.Question;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import io.quorumlock.time.Scheduler;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;

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

    /** A master counts as slow if so many checks in a row take longer than the timeout of a command. */
    private static final int LATE_CHECKS = 3;
    /** A slow master counts as up after so many checks in a row within the timeout, or one in four fifths of it. */
    private static final int TIMELY_CHECKS = 20;

    private final ConnectionEvents link;
    private final MasterConnection connection;
    private final String alias;
    private final int place;
    private final LinkStatus status;
    private final MasterClockWatch clockWatch;
    private final FleetContext context;
    private final Duration commandTimeout;
    private final EngineContext engineContext;
    private int asked;
    private int answered;
    private boolean decided;
    private boolean knownAsNew;
    private int late;
    private int timely;
    private boolean slow;

    /**
     * @param place of the master in the list of masters
     * @param commandTimeout after which votes do not count
     */
    MasterAdmission(
            ConnectionEvents link,
            MasterConnection connection,
            String alias,
            int place,
            LinkStatus status,
            MasterClockWatch clockWatch,
            FleetContext context,
            Duration commandTimeout,
            EngineContext engineContext) {
        this.link = link;
        this.connection = connection;
        this.alias = alias;
        this.place = place;
        this.status = status;
        this.clockWatch = clockWatch;
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
            link.admit(connection, Optional.empty());
            return;
        }
        if (guard.mastersPersist()) {
            withTimeout(
                    MasterPersistence.read(connection.connection()),
                    timeout,
                    persistence -> check(persistence, timeout));
        } else {
            readLongest(timeout);
        }
    }

    private void check(MasterPersistence persistence, Duration timeout) {
        if (persistence.flaw().isPresent()) {
            link.refuse(connection, persistence.flaw().get());
            return;
        }
        if (context.view().rewriteTogether(alias, persistence.rewrites())) {
            LinkLog.rewriteTogether(persistence.rewrites());
        }
        readLongest(timeout);
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
        boolean stepped = clockWatch.isStepped();
        Question question = new Question(
                connection.facts().runId(),
                place,
                context.masters(),
                context.view().longest(),
                keptWrites,
                stepped,
                context.view().founded(alias));
        MonotonicTime sent = engineContext.clock().now();
        Future<AdmissionResult> answer = context.guard().admit(connection, question);
        boolean isCheck = decided && !stepped;
        withTimeout(isCheck ? answer.recover(this::ignoreIfTemporary) : answer, timeout, result -> {
            answered = Math.max(answered, number);
            if (number == asked) {
                boolean changed = context.view().decided(alias, result, round);
                Duration took = engineContext.clock().now().since(sent);
                if (!context.stalls().stalledSince(sent)) {
                    rate(took);
                }
                apply(result, stepped, took);
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

    /** Compares the time of a check with the timeout of a command. It changes nothing at the edge between both. */
    private void rate(Duration took) {
        boolean isLate = took.compareTo(commandTimeout) > 0;
        late = isLate ? late + 1 : 0;
        timely = isLate ? 0 : timely + 1;
        boolean isQuick = took.multipliedBy(5).compareTo(commandTimeout.multipliedBy(4)) <= 0;
        slow = slow ? !isQuick && timely < TIMELY_CHECKS : late >= LATE_CHECKS;
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

    private void apply(AdmissionResult result, boolean stepped, Duration took) {
        if (result instanceof AdmissionResult.OtherList other) {
            link.refuse(connection, other.why());
        } else if (result instanceof AdmissionResult.Admitted admitted) {
            admitted(admitted, stepped, took);
        }
    }

    private void admitted(AdmissionResult.Admitted admitted, boolean stepped, Duration took) {
        if (admitted.refusal().map(ClientErrors::ofReply).equals(Optional.of(ServerFailure.READONLY))) {
            // The next connection refuses a replica.
            link.lose(connection, ServerFailure.READONLY, admitted.refusal());
            return;
        }
        decided = true;
        boolean isNew = !admitted.newMaster().isEmpty();
        if (stepped) {
            clockWatch.confirmed();
        }
        if (clockWatch.isSuspected()) {
            return;
        }
        boolean maySoonVote = isNew && (!knownAsNew || context.view().areAllNew());
        knownAsNew = isNew;
        if (maySoonVote && !status.mayVote()) {
            // The quarantine ends at once if the whole fleet is new. The next check knows, so it is not reported yet.
            return;
        }
        if (late > 0 && !slow && !status.mayVote()) {
            // The next checks decide at once whether it is slow.
            ask(false, LinkSettings.LONGEST_SILENCE);
        } else if (slow && admitted.refusal().isEmpty() && !isWithheld()) {
            link.slow(connection, admitted.quarantine(), adviceForSlow(took));
        } else if (!admitted.quarantine().isZero()) {
            link.quarantine(connection, admitted.quarantine(), context.guard().advice(admitted.longest()));
        } else if (isWithheld()) {
            link.withhold(
                    connection, "gives no vote until no other master is used by replicas with another list of masters");
        } else {
            link.admit(connection, admitted.refusal());
        }
    }

    private boolean isWithheld() {
        return !status.mayVote() && context.view().isOtherListInUse();
    }

    private String adviceForSlow(Duration took) {
        long enough = LongStream.iterate(100, millis -> millis * 2)
                .filter(millis -> millis > 2 * took.toMillis())
                .findFirst()
                .getAsLong();
        return "answers after " + took.toMillis() + " ms, QUORUMLOCK_NODE_TIMEOUT is " + commandTimeout.toMillis()
                + "ms; write " + enough + "ms";
    }
}
