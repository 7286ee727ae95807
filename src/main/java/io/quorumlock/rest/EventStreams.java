package io.quorumlock.rest;

import io.quorumlock.events.LockWatch;
import io.quorumlock.events.OpenStreams;
import io.quorumlock.events.StreamLimits;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import io.quorumlock.security.Verb;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Opens streams of events, as many as are allowed. */
@Singleton
final class EventStreams implements OpenStreams, Page {
    private static final String PREFIX = "prefix";

    private final LockWatch watch;
    private final StreamLimits limits;
    private final Exchanges exchanges;
    private final AnswerWriter writer;
    private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
    private final AtomicLong cut = new AtomicLong();
    private volatile boolean closed;

    EventStreams(LockWatch watch, StreamLimits limits, Exchanges exchanges, AnswerWriter writer) {
        this.watch = watch;
        this.limits = limits;
        this.exchanges = exchanges;
        this.writer = writer;
    }

    @Override
    public String path() {
        return "/events";
    }

    /** Opens one for all resources that begin with what the query says. */
    @Override
    public void answer(RoutingContext context, String query, Access access) {
        exchanges.read(context, body -> {
            Fields fields = Fields.of(Set.of(PREFIX), query, body);
            ResourcePrefix prefix = fields.made(PREFIX, ResourcePrefix::new).orElseGet(() -> new ResourcePrefix(""));
            fields.check();
            begin(
                    context,
                    new Wish(resource -> prefix.begins(resource.text()), () -> access.requireAll(Verb.EVENTS, prefix)));
        });
    }

    /** Opens one for a single resource. */
    void openFor(LockCall call, RoutingContext context) {
        ResourceName resource = call.resource();
        call.fields(Set.of()).check();
        begin(context, new Wish(resource::equals, () -> call.access().require(Verb.EVENTS, resource)));
    }

    private void begin(RoutingContext context, Wish wish) {
        wish.require().run();
        if (closed) {
            throw new Refusal(Problems.noStreamsAnyMore());
        }
        if (streams.size() >= limits.most()) {
            throw new Refusal(Problems.tooManyStreams(limits.most()));
        }
        EventStream stream = new EventStream(context, writer, wish, this::ended);
        streams.add(stream);
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
