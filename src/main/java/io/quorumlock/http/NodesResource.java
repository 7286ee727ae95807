package io.quorumlock.http;

import io.quorumlock.lock.Fleet;
import io.quorumlock.security.Verb;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.Set;

/** Shows the masters as this replica sees them. */
@Singleton
@Path(NodesResource.PATH)
final class NodesResource {
    static final String PATH = "/nodes";

    private final Fleet fleet;
    private final AnswerWriter writer;

    NodesResource(Fleet fleet, AnswerWriter writer) {
        this.fleet = fleet;
        this.writer = writer;
    }

    @GET
    public Uni<Response> nodes(@Context RoutingContext context) {
        HttpServerRequest request = context.request();
        if (!request.path().equals(PATH)) {
            // The router found this path by normalising it; the gate did not know it.
            throw new Refusal(Problems.notFound());
        }
        Access.of(context).requireOverall(Verb.READ);
        Fields fields = new Fields(Set.of());
        if (request.query() != null) {
            QueryFields.read(request.query(), fields);
        }
        fields.check();
        return Uni.createFrom().item(writer.toResponse(Answer.of(200, NodesBody.of(fleet))));
    }
}
