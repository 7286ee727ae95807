// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import io.quorumlock.core.lock.Limits;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.http.Access;
import io.quorumlock.http.AcquireRequest;
import io.quorumlock.http.Answer;
import io.quorumlock.http.LockResource;
import io.quorumlock.http.Route;
import io.quorumlock.http.keys.Verb;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import org.jboss.resteasy.reactive.RestPath;

/** Sessions, which hold a lock while their client is connected. */
@Path("/sessions")
@Singleton
public final class SessionResource {
    private final SessionStreams streams;
    private final Limits limits;

    SessionResource(SessionStreams streams, Limits limits) {
        this.streams = streams;
        this.limits = limits;
    }

    @Produces
    @Singleton
    static Route route() {
        return Route.ofNames("sessions", "POST");
    }

    /** Acquires the lock, and extends the lease while the client is connected. */
    @POST
    @Path(LockResource.NAME)
    @NonBlocking
    public Answer open(@RestPath ResourceName name, AcquireRequest request, RoutingContext context) {
        request.only(name);
        Access access = Access.of(context);
        Runnable accessCheck = () -> {
            access.require(Verb.ACQUIRE, name);
            access.require(Verb.EXTEND, name);
        };
        accessCheck.run();
        return streams.open(name, request.terms(limits), access, accessCheck);
    }
}
