package io.quorumlock.redis;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.redis.RestartGuard.Occasion;
import io.quorumlock.time.Scheduler;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/** Finds out whether the node behind one connection may vote, and keeps asking (R9). */
final class NodeAdmission {
    /** With these a node cannot vote either, and each passes; anything else would leave the check undone for ever. */
    private static final Set<NodeFailure> PASSING =
            EnumSet.of(NodeFailure.BUSY, NodeFailure.LOADING, NodeFailure.NOSCRIPT);

    private final NodeLink link;
    private final CommandPipeline pipeline;
    private final NodeConnection connection;
    private final FleetContext context;
    private final Scheduler scheduler;
    private int questions;
    private int answers;
    private boolean decided;

    NodeAdmission(
            NodeLink link,
            CommandPipeline pipeline,
            NodeConnection connection,
            FleetContext context,
            Scheduler scheduler) {
        this.link = link;
        this.pipeline = pipeline;
        this.connection = connection;
        this.context = context;
        this.scheduler = scheduler;
    }

    /**
     * Begins with a new connection.
     *
     * @param limit for each answer of the node, after which it is given up
     */
    void open(Duration limit) {
        if (!context.guard().enabled()) {
            link.admit(pipeline);
            return;
        }
        bounded(context.guard().look(connection), limit, past -> {
            context.memory().introduce(link.alias(), past);
            context.memory().whenInformed(link.alias(), () -> {
                if (link.isCurrent(pipeline)) {
                    ask(link.clockWatch().isStepped() ? Occasion.STEPPED : Occasion.ASK, limit);
                }
            });
        });
    }

    /** Asks again whether the node is what it was when it was admitted; one question at a time. */
    void check() {
        if (decided && answers == questions) {
            ask(link.clockWatch().isStepped() ? Occasion.STEPPED : Occasion.CHECK, LinkSettings.LONGEST_SILENCE);
        }
    }

    /** Has the node doubted because its clock was set. Answers to earlier questions do not count any more. */
    void clockStepped() {
        if (decided) {
            ask(Occasion.STEPPED, LinkSettings.LONGEST_SILENCE);
        }
    }

    private void ask(Occasion occasion, Duration limit) {
        int number = ++questions;
        FleetHistory.Expectation expected = context.memory().expect(link.alias());
        Future<AdmissionResult> answer = context.guard().admit(connection, occasion, expected);
        bounded(occasion == Occasion.CHECK ? answer.recover(this::putOff) : answer, limit, admission -> {
            answers = Math.max(answers, number);
            if (number == questions) {
                follow(admission, occasion, limit);
            }
        });
    }

    private Future<AdmissionResult> putOff(Throwable cause) {
        NodeFailure reason = ClientErrors.reason(cause);
        if (cause instanceof RestartGuard.Unusable || !PASSING.contains(reason) || !link.isCurrent(pipeline)) {
            return Future.failedFuture(cause);
        }
        link.batchFailed(reason);
        return Future.succeededFuture(new AdmissionResult.Unknown());
    }

    private <T> void bounded(Future<T> answer, Duration limit, Consumer<T> then) {
        Scheduler.Timer timer = scheduler.after(limit, () -> link.lose(pipeline, NodeFailure.TIMEOUT));
        answer.onComplete(outcome -> {
            timer.cancel();
            if (!link.isCurrent(pipeline)) {
                return;
            }
            if (outcome.failed()) {
                link.lose(pipeline, ClientErrors.reason(outcome.cause()));
            } else {
                then.accept(outcome.result());
            }
        });
    }

    private void follow(AdmissionResult admission, Occasion occasion, Duration limit) {
        if (admission instanceof AdmissionResult.New) {
            context.bootstrap().join(link.alias(), decision -> {
                if (link.isCurrent(pipeline)) {
                    ask(decision, limit);
                }
            });
        } else if (admission instanceof AdmissionResult.Refused refused) {
            link.turnAway(pipeline, refused.why());
        } else if (admission instanceof AdmissionResult.Admitted admitted) {
            admitted(admitted, occasion);
        }
    }

    private void admitted(AdmissionResult.Admitted admitted, Occasion occasion) {
        decided = true;
        context.memory().admitted(link.alias(), admitted.past());
        context.bootstrap().hasPast();
        if (occasion == Occasion.STEPPED) {
            link.clockWatch().confirmed();
        }
        if (link.clockWatch().isDoubted()) {
            return;
        }
        if (admitted.quarantine().isZero()) {
            link.admit(pipeline);
        } else {
            link.quarantine(pipeline, admitted.quarantine());
        }
    }
}
