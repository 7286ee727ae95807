// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quarkus.security.AuthenticationFailedException;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.WebApplicationException;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** The mappers of exceptions to problem documents. Unexpected exceptions get one that discloses nothing. */
@Singleton
public final class ProblemMappers {
    private static final Logger LOG = Logger.getLogger(ProblemMappers.class);
    private static final int BASE = 36;

    private final Clock clock;
    /** The framework creates mappers before it reads the settings of features. */
    private final Provider<Routes> routes;

    private final AtomicLong incidents = new AtomicLong();

    ProblemMappers(Clock clock, Provider<Routes> routes) {
        this.clock = clock;
        this.routes = routes;
    }

    @ServerExceptionMapper
    RestResponse<Answer> expected(ProblemException problem) {
        return response(problem.answer());
    }

    /** The framework wraps errors in the parameters of a path. */
    @ServerExceptionMapper
    RestResponse<Answer> notFound(NotFoundException failure) {
        return response(
                failure.getCause() instanceof IllegalArgumentException invalid
                        ? Problems.invalidResource(invalid.getMessage())
                        : Problems.notFound());
    }

    @ServerExceptionMapper
    RestResponse<Answer> methodNotAllowed(NotAllowedException failure, RoutingContext request) {
        return response(Problems.methodNotAllowed(routes.get().of(request)));
    }

    @ServerExceptionMapper({Throwable.class, WebApplicationException.class})
    RestResponse<Answer> unexpected(Throwable failure) {
        return response(answer(failure));
    }

    /** Returns the answer to a failure, and logs unexpected ones. */
    public Answer answer(Throwable failure) {
        if (failure instanceof ProblemException problem) {
            return problem.answer();
        }
        if (failure instanceof AuthenticationFailedException rejection) {
            return rejection.getCause() instanceof ProblemException problem
                    ? problem.answer()
                    : Problems.unauthorized("The credentials are not valid.");
        }
        String incident = Long.toString(clock.millis(), BASE) + "-" + incidents.incrementAndGet();
        LOG.errorf(failure, "request failed incident=%s", incident);
        return Problems.internalError(incident);
    }

    private static RestResponse<Answer> response(Answer answer) {
        return RestResponse.ResponseBuilder.<Answer>create(answer.status())
                .entity(answer)
                .build();
    }
}
