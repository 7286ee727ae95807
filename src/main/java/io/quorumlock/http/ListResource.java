package io.quorumlock.http;

import io.quorumlock.lock.Lane;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.security.Verb;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

/** Lists locks. */
@Singleton
@Path(ListResource.PATH)
final class ListResource {
    static final String PATH = "/locks";

    private final LockDirectory directory;
    private final Lanes lanes;
    private final OutcomeMapper outcomes;
    private final AnswerWriter writer;

    ListResource(LockDirectory directory, Lanes lanes, OutcomeMapper outcomes, AnswerWriter writer) {
        this.directory = directory;
        this.lanes = lanes;
        this.outcomes = outcomes;
        this.writer = writer;
    }

    @GET
    public Uni<Response> list(@Context RoutingContext context) {
        HttpServerRequest request = context.request();
        if (!request.path().equals(PATH)) {
            // The router found this path by normalising it; the gate did not know it.
            throw new Refusal(Problems.notFound());
        }
        Access access = Access.of(context);
        String query = request.query() == null ? "" : request.query();
        return RequestBody.readIfAny(request)
                .map(body -> ListRequest.read(query, body))
                .invoke(asked -> access.requireAll(Verb.LIST, asked.terms().prefix()))
                .flatMap(asked -> LockResource.ask(
                        () -> lanes.through(Lane.OPEN, () -> directory.list(asked.terms())),
                        outcome -> outcomes.listing(asked.terms().prefix(), outcome)))
                .map(writer::toResponse);
    }
}
