// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.ResourcePrefix;
import io.quorumlock.security.Verb;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.Set;

/** The events of all locks whose names have a prefix. */
@Path("/events")
@Singleton
public final class EventsResource {
    private static final String PREFIX = "prefix";

    private final EventStreams streams;

    EventsResource(EventStreams streams) {
        this.streams = streams;
    }

    /** Opens a stream of events. */
    @GET
    @NonBlocking
    public Answer events(RequestParameters parameters, RoutingContext context) {
        ResourcePrefix prefix = parameters
                .only(Set.of(PREFIX))
                .converted(PREFIX, ResourcePrefix::new)
                .orElseGet(() -> new ResourcePrefix(""));
        parameters.check();
        Access access = RequestFilter.access(context);
        return streams.open(
                access, resource -> prefix.begins(resource.text()), () -> access.requireAll(Verb.EVENTS, prefix));
    }
}
