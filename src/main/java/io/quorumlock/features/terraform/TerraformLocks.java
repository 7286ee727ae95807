// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.http.Answer;
import io.quorumlock.http.ForceReason;
import io.quorumlock.http.LockCalls;
import io.quorumlock.http.LockResource;
import io.quorumlock.http.OutcomeMapper;
import io.quorumlock.http.ProblemException;
import io.quorumlock.http.Problems;
import io.quorumlock.http.RequestReader;
import io.quorumlock.http.Route;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jboss.resteasy.reactive.RestPath;

/**
 * The locks of the HTTP backend of Terraform and OpenTofu (their {@code remote-state/http}). The client knows the statuses 200, and
 * 423 with the holder, and shows the number of any other. It repeats a lost request, polls a held lock, and never extends.
 */
@Path("/terraform")
@Singleton
public final class TerraformLocks {
    private static final Answer DONE = Answer.of(200, Map.of());
    private static final ForceReason FORCED = new ForceReason("force-unlock of Terraform");

    private final LockCalls calls;
    private final OutcomeMapper outcomes;
    private final TerraformQuery query;
    private final RequestReader json;

    TerraformLocks(LockCalls calls, OutcomeMapper outcomes, TerraformQuery query, RequestReader json) {
        this.calls = calls;
        this.outcomes = outcomes;
        this.query = query;
        this.json = json;
    }

    @Produces
    @Singleton
    static Route route(TerraformConfig settings) {
        return Route.ofNames("terraform", "DELETE, GET, LOCK, POST, PUT, UNLOCK")
                .onlyIf(settings.enabled());
    }

    /** Acquires the lock for the run that the body describes. */
    @Lock
    @Path(LockResource.NAME)
    public Uni<Answer> lock(@RestPath ResourceName name, byte[] body, RoutingContext request) {
        ResourceName resource = TerraformQuery.lockOf(name.text());
        LockInfo run = read(body);
        AcquireTerms terms = new AcquireTerms(
                query.ttlOfLock(request),
                Duration.ZERO,
                Optional.of(token(resource, run)),
                Optional.of(run.owner()),
                LockKind.EXCLUSIVE);
        return calls.acquire(ResourceNames.of(resource), terms, request).map(this::locked);
    }

    /** Acquires the lock, for a configuration with {@code lock_method = "PUT"}. {@link TerraformStates} takes a PUT with an id. */
    @PUT
    @Path(LockResource.NAME)
    public Uni<Answer> lockWithPut(@RestPath ResourceName name, byte[] body, RoutingContext request) {
        return lock(name, body, request);
    }

    private Answer locked(Acquisition outcome) {
        if (outcome.granted().isPresent()) {
            return DONE;
        }
        return outcome instanceof Acquisition.Held held
                ? Answer.of(423, LockInfo.of(held.first().owner()))
                : outcomes.acquisition(outcome);
    }

    /** Releases the lock of the run that the body describes. An empty body is a {@code force-unlock} of Terraform. */
    @Unlock
    @Path(LockResource.NAME)
    public Uni<Answer> unlock(@RestPath ResourceName name, byte[] body, RoutingContext request) {
        ResourceName resource = TerraformQuery.lockOf(name.text());
        if (body.length == 0) {
            return calls.force(resource, ForceTerms.ALL, FORCED, request).map(this::forced);
        }
        return calls.release(ResourceNames.of(resource), token(resource, read(body)), Duration.ZERO, request)
                .map(this::unlocked);
    }

    /** Releases the lock, for a configuration with {@code unlock_method = "DELETE"}. */
    @DELETE
    @Path(LockResource.NAME)
    public Uni<Answer> unlockWithDelete(@RestPath ResourceName name, byte[] body, RoutingContext request) {
        return unlock(name, body, request);
    }

    private Answer unlocked(Release outcome) {
        return outcome.kind() == Release.Kind.RELEASED ? DONE : outcomes.release(outcome);
    }

    private Answer forced(ForcedRelease outcome) {
        return outcome.kind() == ForcedRelease.Kind.BROKEN ? DONE : outcomes.forcedRelease(outcome);
    }

    private static LeaseToken token(ResourceName resource, LockInfo run) {
        return LeaseToken.derivedFrom(resource, run.id());
    }

    private LockInfo read(byte[] body) {
        LockInfo run;
        try {
            run = LockInfo.of(json.parse(body));
        } catch (IOException malformed) {
            throw new ProblemException(Problems.invalidRequest("body", "must be the LockInfo of Terraform, in JSON"));
        }
        if (!LockInfo.isId(run.id())) {
            throw new ProblemException(Problems.invalidRequest("ID", LockInfo.ID_RULE));
        }
        return run;
    }

    /** The method LOCK. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @HttpMethod("LOCK")
    @interface Lock {}

    /** The method UNLOCK. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @HttpMethod("UNLOCK")
    @interface Unlock {}
}
