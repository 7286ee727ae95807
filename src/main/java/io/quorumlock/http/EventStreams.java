package io.quorumlock.http;

import io.quorumlock.lock.LockWatch;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import io.quorumlock.lock.StreamLimits;
import io.quorumlock.lock.Streams;
import io.quorumlock.security.Verb;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Opens streams of events, as many as are allowed. */
@Singleton
final class EventStreams implements Streams {
    static final String PATH = "/events";
    private static final String PREFIX = "prefix";

    private final LockWatch watch;
    private final StreamLimits limits;
    private final ProblemMapper problems;
    private final AnswerWriter writer;
    private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
    private final AtomicLong cut = new AtomicLong();
    private volatile boolean closed;

    EventStreams(LockWatch watch, StreamLimits limits, ProblemMapper problems, AnswerWriter writer) {
        this.watch = watch;
        this.limits = limits;
        this.problems = problems;
        this.writer = writer;
    }

    /** Opens one for all resources that begin with what the query says. */
    void openForPrefix(RoutingContext context, String query, Access access) {
        open(context, query, Set.of(PREFIX), fields -> {
            ResourcePrefix prefix = fields.made(PREFIX, ResourcePrefix::new).orElseGet(() -> new ResourcePrefix(""));
            return new Wish(resource -> prefix.begins(resource.text()), () -> access.requireAll(Verb.EVENTS, prefix));
        });
    }

    /** Opens one for a single resource. */
    void openFor(LockCall call, RoutingContext context) {
        ResourceName resource = call.resource();
        open(
                context,
                call.query(),
                Set.of(),
                fields -> new Wish(resource::equals, () -> call.access().require(Verb.EVENTS, resource)));
    }

    private interface Reading {
        Wish read(Fields fields);
    }

    private void open(RoutingContext context, String query, Set<String> known, Reading reading) {
        RequestBody.readIfAny(context.request())
                .invoke(body -> {
                    Fields fields = new Fields(known);
                    QueryFields.read(query, fields);
                    JsonFields.read(body, fields);
                    Wish wish = reading.read(fields);
                    fields.check();
                    wish.require().run();
                    begin(context, wish);
                })
                .subscribe()
                .with(begun -> {}, failure -> writer.write(problems.answer(failure), context));
    }

    private void begin(RoutingContext context, Wish wish) {
        if (closed) {
            throw new Refusal(Problems.noStreamsAnyMore());
        }
        if (streams.size() >= limits.most()) {
            throw new Refusal(Problems.tooManyStreams(limits.most()));
        }
        EventStream stream = new EventStream(context, writer, wish, this::ended);
        streams.add(stream);
        context.request().resume();
        stream.begin(watch, limits.heartbeat());
        if (closed) {
            // It came while all others were ended.
            stream.end();
        }
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
