// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.events;

import io.quorumlock.http.Access;
import io.quorumlock.http.Answer;
import io.quorumlock.http.Route;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** The events of one lock, or of all locks whose names have a prefix. */
@Path("/events")
@Singleton
public final class EventsResource {
    private final EventStreams streams;

    EventsResource(EventStreams streams) {
        this.streams = streams;
    }

    @Produces
    @Singleton
    static Route route() {
        return Route.ofKeys("/events"::equals, "/events", "GET");
    }

    /** Opens a stream of events. */
    @GET
    @NonBlocking
    public Answer events(EventsRequest request, RoutingContext context) {
        Access access = Access.of(context);
        return streams.open(access, request::includes, () -> request.require(access));
    }
}
