// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.redis.FleetHistory.NodeHistory;
import io.quorumlock.redis.RedisFleet.FleetContext;
import io.quorumlock.redis.RestartGuard.AdmissionResult;
import io.quorumlock.redis.RestartGuard.Occasion;
import io.quorumlock.time.Scheduler;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The admission of a node on one connection: the decision whether it may vote, which is checked again with each
 * heartbeat (R9).
 */
final class NodeAdmission {
    /**
     * Failures of a check that are ignored: they are temporary, and the node does not vote meanwhile. Ignoring other
     * failures could suppress the check permanently.
     */
    private static final Set<NodeFailure> TEMPORARY =
            EnumSet.of(NodeFailure.BUSY, NodeFailure.LOADING, NodeFailure.NOSCRIPT);

    private final NodeLink link;
    private final ActiveConnection connection;
    private final FleetContext context;
    private final Scheduler scheduler;
    private int asked;
    private int answered;
    private boolean decided;

    NodeAdmission(NodeLink link, ActiveConnection connection, FleetContext context, Scheduler scheduler) {
        this.link = link;
        this.connection = connection;
        this.context = context;
        this.scheduler = scheduler;
    }

    /**
     * Starts the admission on a new connection.
     *
     * @param timeout for each answer of the node, after which the connection is closed
     */
    void open(Duration timeout) {
        if (!context.guard().enabled()) {
            link.admit(connection);
            return;
        }
        withTimeout(context.guard().read(connection.connection()), timeout, history -> context.history()
                .misdirected(link.alias(), history)
                .ifPresentOrElse(
                        other -> link.refuse(connection, "is the server of " + other + ", or has a copy of its data"),
                        () -> introduce(history, timeout)));
    }

    private void introduce(NodeHistory history, Duration timeout) {
        context.history().introduce(link.alias(), history);
        context.history().whenInformed(link.alias(), () -> {
            if (connection.isCurrent()) {
                ask(link.clockWatch().isStepped() ? Occasion.STEPPED : Occasion.ASK, timeout);
            }
        });
    }

    /** Checks again that the node kept its data, unless a check is in progress. */
    void check() {
        // Its address led to the server of another node for too long, and now leads that node there, too.
        if (context.history().isTakenForCopy(link.alias())
                && context.identities().isClaimed(link.alias())) {
            link.refuse(connection, "has the server of another node, which needs it again");
            return;
        }
        if (decided && answered == asked) {
            ask(link.clockWatch().isStepped() ? Occasion.STEPPED : Occasion.CHECK, LinkSettings.LONGEST_SILENCE);
        }
    }

    /** Puts the node into quarantine because its clock stepped. Replies to earlier requests are ignored. */
    void clockStepped() {
        if (decided) {
            ask(Occasion.STEPPED, LinkSettings.LONGEST_SILENCE);
        }
    }

    private void ask(Occasion occasion, Duration timeout) {
        int number = ++asked;
        FleetHistory.Expectation expected = context.history().expect(link.alias());
        Future<AdmissionResult> answer = context.guard().admit(connection.connection(), occasion, expected);
        withTimeout(
                occasion == Occasion.CHECK ? answer.recover(this::ignoreIfTemporary) : answer, timeout, admission -> {
                    answered = Math.max(answered, number);
                    if (number == asked) {
                        apply(admission, occasion, timeout);
                    }
                });
    }

    private Future<AdmissionResult> ignoreIfTemporary(Throwable cause) {
        NodeFailure reason = ClientErrors.reason(cause);
        if (cause instanceof RestartGuard.Unusable || !TEMPORARY.contains(reason) || !connection.isCurrent()) {
            return Future.failedFuture(cause);
        }
        connection.batchFailed(reason);
        return Future.succeededFuture(new AdmissionResult.Unknown());
    }

    private <T> void withTimeout(Future<T> answer, Duration timeout, Consumer<T> then) {
        Scheduler.Timer timer = scheduler.after(timeout, () -> link.lose(connection, NodeFailure.TIMEOUT));
        answer.onComplete(outcome -> {
            timer.cancel();
            if (!connection.isCurrent()) {
                return;
            }
            if (outcome.failed()) {
                link.lose(connection, ClientErrors.reason(outcome.cause()));
            } else {
                then.accept(outcome.result());
            }
        });
    }

    private void apply(AdmissionResult admission, Occasion occasion, Duration timeout) {
        if (admission instanceof AdmissionResult.New) {
            context.bootstrap().join(link.alias(), decision -> {
                if (connection.isCurrent()) {
                    ask(decision, timeout);
                }
            });
        } else if (admission instanceof AdmissionResult.Refused refused) {
            link.refuse(connection, refused.why());
        } else if (admission instanceof AdmissionResult.Admitted admitted) {
            admitted(admitted, occasion);
        }
    }

    private void admitted(AdmissionResult.Admitted admitted, Occasion occasion) {
        decided = true;
        context.history().admitted(link.alias(), admitted.history());
        context.bootstrap().hasHistory();
        if (occasion == Occasion.STEPPED) {
            link.clockWatch().confirmed();
        }
        if (link.clockWatch().isSuspected()) {
            return;
        }
        if (admitted.quarantine().isZero()) {
            link.admit(connection);
        } else {
            link.quarantine(connection, admitted.quarantine());
        }
    }
}
