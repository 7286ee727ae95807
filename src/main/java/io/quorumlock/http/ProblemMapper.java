package io.quorumlock.http;

import jakarta.inject.Singleton;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Turns exceptions into problem documents: expected ones into what they say, all others into one that tells nothing. */
@Singleton
final class ProblemMapper {
    private static final Logger LOG = Logger.getLogger(ProblemMapper.class);
    private static final int BASE = 36;

    private final AnswerWriter writer;
    private final Clock clock;
    private final AtomicLong incidents = new AtomicLong();

    ProblemMapper(AnswerWriter writer, Clock clock) {
        this.writer = writer;
        this.clock = clock;
    }

    @ServerExceptionMapper
    Response refusal(Refusal refusal) {
        return writer.toResponse(refusal.answer());
    }

    @ServerExceptionMapper
    Response notFound(NotFoundException nowhere) {
        return writer.toResponse(Problems.notFound());
    }

    @ServerExceptionMapper
    Response anything(Throwable bug) {
        return writer.toResponse(answer(bug));
    }

    /** Finds the answer to a failure, and logs it if it is a bug. */
    Answer answer(Throwable failure) {
        if (failure instanceof Refusal refusal) {
            return refusal.answer();
        }
        String incident = Long.toString(clock.millis(), BASE) + "-" + incidents.incrementAndGet();
        LOG.errorf(failure, "request failed incident=%s", incident);
        return Problems.internalError(incident);
    }
}
