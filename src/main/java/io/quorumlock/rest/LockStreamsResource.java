// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.Limits;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.security.Verb;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.List;
import java.util.Set;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestPath;

/** Streams about one lock: its events, and sessions that hold it. */
@Path("/locks")
@Singleton
public final class LockStreamsResource {
    private final EventStreams events;
    private final SessionStreams streams;
    private final Limits limits;

    LockStreamsResource(EventStreams events, SessionStreams streams, Limits limits) {
        this.events = events;
        this.streams = streams;
        this.limits = limits;
    }

    /** Opens a stream of the events of the lock. */
    @GET
    @Path("/{resource}/events")
    @NonBlocking
    public Answer events(@RestPath ResourceName resource, RequestParameters parameters, RoutingContext context) {
        parameters.only(Set.of()).check();
        Access access = RequestFilter.access(context);
        return events.open(access, resource::equals, () -> access.require(Verb.EVENTS, resource));
    }

    /** Opens a session: acquires the lock and extends the lease while the client is connected. */
    @POST
    @Path("/{resource}/session")
    @NonBlocking
    public Answer session(
            @RestPath ResourceName resource,
            RequestParameters parameters,
            @RestHeader("Prefer") List<String> prefer,
            RoutingContext context) {
        Access access = RequestFilter.access(context);
        requireAll(access, resource);
        AcquireRequest request = AcquireRequest.read(resource, parameters, WaitPreference.read(prefer), limits);
        return streams.open(request, access, () -> requireAll(access, resource));
    }

    /** A session acquires and extends. */
    private static void requireAll(Access access, ResourceName resource) {
        access.require(Verb.ACQUIRE, resource);
        access.require(Verb.EXTEND, resource);
    }
}
