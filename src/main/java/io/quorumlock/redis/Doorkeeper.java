package io.quorumlock.redis;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.time.Scheduler;
import java.time.Duration;

/** Finds out whether the node behind one connection may vote, and asks again when its quarantine is over (R9). */
final class Doorkeeper {
    private final NodeLink link;
    private final CommandPipeline pipeline;
    private final NodeConnection line;
    private final RestartGuard guard;
    private final Founding founding;
    private final Scheduler scheduler;

    Doorkeeper(
            NodeLink link,
            CommandPipeline pipeline,
            NodeConnection line,
            NodeLink.Company company,
            Scheduler scheduler) {
        this.link = link;
        this.pipeline = pipeline;
        this.line = line;
        this.guard = company.guard();
        this.founding = company.founding();
        this.scheduler = scheduler;
    }

    /** @param most after which a node that does not answer is given up */
    void ask(RestartGuard.Occasion occasion, Duration most) {
        Scheduler.Timer limit = scheduler.after(most, () -> link.lose(pipeline, NodeFailure.TIMEOUT));
        guard.admit(line, occasion).onComplete(answer -> {
            limit.cancel();
            if (answer.failed()) {
                link.lose(pipeline, Failures.reason(answer.cause()));
            } else {
                follow(answer.result(), most);
            }
        });
    }

    private void follow(Admission admission, Duration most) {
        if (!link.isCurrent(pipeline)) {
            return;
        }
        if (admission instanceof Admission.New) {
            founding.join(link.alias(), occasion -> ask(occasion, most));
        } else if (admission instanceof Admission.Refused refused) {
            link.turnAway(pipeline, refused.why());
        } else if (admission instanceof Admission.Admitted admitted) {
            founding.hasPast();
            open(admitted.quarantine(), most);
        }
    }

    private void open(Duration quarantine, Duration most) {
        if (quarantine.isZero()) {
            link.admit(pipeline);
            return;
        }
        link.quarantine(pipeline, quarantine);
        scheduler.after(quarantine.plusMillis(1), () -> {
            if (link.isCurrent(pipeline)) {
                ask(RestartGuard.Occasion.ASK, most);
            }
        });
    }
}
