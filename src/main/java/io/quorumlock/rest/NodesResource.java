package io.quorumlock.rest;

import io.quorumlock.lock.Fleet;
import io.quorumlock.security.Verb;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.Set;

/** The masters as this replica sees them. */
@Path("/nodes")
@Singleton
public final class NodesResource {
    private final Fleet fleet;

    NodesResource(Fleet fleet) {
        this.fleet = fleet;
    }

    /** Returns the state of all masters. */
    @GET
    @NonBlocking
    public Answer nodes(RequestParameters parameters, RoutingContext context) {
        RequestFilter.access(context).requireOverall(Verb.READ);
        parameters.only(Set.of()).check();
        return Answer.of(200, NodesBody.of(fleet));
    }
}
