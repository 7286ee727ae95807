package io.quorumlock.rest;

import io.quorumlock.events.LockWatch;
import io.quorumlock.events.OpenStreams;
import io.quorumlock.events.StreamLimits;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Opens streams of events, as many as are allowed. */
@Singleton
final class EventStreams implements OpenStreams {
    private final LockWatch watch;
    private final StreamLimits limits;
    private final AnswerWriter writer;
    private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
    private final AtomicLong cut = new AtomicLong();
    private volatile boolean closed;

    EventStreams(LockWatch watch, StreamLimits limits, AnswerWriter writer) {
        this.watch = watch;
        this.limits = limits;
        this.writer = writer;
    }

    /** Opens a stream. The result never emits: the stream writes the response. */
    Uni<Answer> open(RoutingContext context, EventFilter filter) {
        filter.require().run();
        if (closed) {
            throw new ProblemException(Problems.noStreamsAnyMore());
        }
        if (streams.size() >= limits.most()) {
            throw new ProblemException(Problems.tooManyStreams(limits.most()));
        }
        EventStream stream = new EventStream(context, writer, filter, this::ended);
        streams.add(stream);
        stream.begin(watch, limits.heartbeat());
        if (closed) {
            // It came while all others were ended.
            stream.end();
        }
        return Uni.createFrom().nothing();
    }

    private void ended(EventStream stream, boolean wasCut) {
        streams.remove(stream);
        if (wasCut) {
            cut.incrementAndGet();
        }
    }

    @Override
    public int open() {
        return streams.size();
    }

    @Override
    public long cut() {
        return cut.get();
    }

    @Override
    public void end() {
        closed = true;
        List.copyOf(streams).forEach(EventStream::end);
    }
}
