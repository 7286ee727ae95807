// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.loop.Durations;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.http.Access;
import io.quorumlock.http.Answer;
import io.quorumlock.http.AnswerWriter;
import io.quorumlock.http.LockCalls;
import io.quorumlock.http.OutcomeMapper;
import io.quorumlock.http.ProblemException;
import io.quorumlock.http.ProblemMappers;
import io.quorumlock.http.ProblemType;
import io.quorumlock.http.Routes;
import io.quorumlock.http.keys.Verb;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/**
 * The states of Terraform, in a store behind the service. Saving one first extends the lease of the run, so that only the holder of
 * the lock saves: a run that lost its lease gets 409.
 *
 * <p>Handlers of the router, because a state is larger than other bodies, and passes through.
 */
@Singleton
final class TerraformStates {
    @Produces
    @Singleton
    static final ProblemType STATE_NOT_LOCKED = new ProblemType(
            "state-not-locked",
            409,
            "The run does not hold the lock of the state",
            "The state was not saved, because another run may have the lock now. Terraform keeps the state in"
                    + " errored.tfstate. Compare it with the saved one before you push it.");

    @Produces
    @Singleton
    static final ProblemType NO_STATE_STORE = new ProblemType(
            "no-state-store",
            501,
            "The service keeps no states",
            "Without quorumlock.terraform.state-url, it serves the locks of Terraform only.");

    @Produces
    @Singleton
    static final ProblemType STATE_STORE_FAILED = new ProblemType(
            "state-store-failed",
            502,
            "The store of the states failed",
            "A state that was sent may have been saved or not.");

    private static final String TOP = "/terraform/";
    /** After the authentication, and before the limit of bodies. */
    private static final int ORDER = -10;

    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final TerraformConfig settings;
    private final MonotonicClock clock;
    private final TerraformQuery query;
    private final LockCalls calls;
    private final OutcomeMapper outcomes;
    private final ProblemMappers problems;
    private final AnswerWriter writer;

    TerraformStates(
            TerraformConfig settings,
            MonotonicClock clock,
            TerraformQuery query,
            LockCalls calls,
            OutcomeMapper outcomes,
            ProblemMappers problems,
            AnswerWriter writer) {
        this.settings = settings;
        this.clock = clock;
        this.query = query;
        this.calls = calls;
        this.outcomes = outcomes;
        this.problems = problems;
        this.writer = writer;
    }

    void register(@Observes Router router, Vertx vertx) {
        Optional<StateStore> store = TerraformConfig.store(settings)
                .filter(url -> settings.enabled())
                .map(url -> new StateStore(url, settings.caFile(), clock, vertx));
        serve(HttpMethod.GET, router, store, this::read);
        serve(HttpMethod.POST, router, store, this::save);
        serve(HttpMethod.PUT, router, store, this::save);
    }

    private void serve(HttpMethod method, Router router, Optional<StateStore> store, Handling handling) {
        router.route(method, TOP + "*").order(ORDER).handler(request -> {
            String path = Routes.decoded(request.request().path());
            Future<Void> served;
            try {
                if (!path.startsWith(TOP) || TerraformQuery.isLock(request)) {
                    request.next();
                    return;
                }
                if (method == HttpMethod.GET) {
                    TerraformQuery.refuseRedirected(request);
                }
                request.request().pause();
                served = handling.serve(
                        path.substring(TOP.length()), request, store.orElseThrow(TerraformStates::withoutStore));
            } catch (RuntimeException failure) {
                served = Future.failedFuture(failure);
            }
            served.onFailure(failure -> refuse(failure, request));
        });
    }

    /** Also a read is refused, before a run that could not save its state. */
    private static ProblemException withoutStore() {
        return new ProblemException(Answer.of(
                NO_STATE_STORE,
                "Only lock_address and unlock_address may have this URL. For address, the operator can set"
                        + " quorumlock.terraform.state-url."));
    }

    /** Answers, unless the answer of the store has begun. */
    private void refuse(Throwable failure, RoutingContext request) {
        if (request.response().headWritten()) {
            request.response().reset();
        } else {
            // The answer of the store may have set its length, and then ended before its first byte.
            request.response().headers().remove(HttpHeaders.CONTENT_LENGTH);
            writer.write(problems.answer(failure), request);
        }
    }

    /** A state has secrets, which a key that only observes locks must not see. */
    private Future<Void> read(String state, RoutingContext request, StateStore store) {
        Access.of(request).require(Verb.EXTEND, TerraformQuery.lockOf(state));
        return store.forward(new ResourceName(state), request, clock.now().plus(LONGEST));
    }

    private Future<Void> save(String state, RoutingContext request, StateStore store) {
        ResourceName lock = TerraformQuery.lockOf(state);
        Duration ttl = query.ttlOfSave(request);
        String run = TerraformQuery.id(request)
                .orElseThrow(() -> new ProblemException(notLocked("The request has no ID of a run that locked it.")));
        MonotonicTime begun = clock.now();
        return future(calls.extend(ResourceNames.of(lock), LeaseToken.derivedFrom(lock, run), ttl, request))
                .compose(outcome -> {
                    Duration left = validity(outcome);
                    return store.forward(new ResourceName(state), request, begun.plus(Durations.min(left, LONGEST)));
                });
    }

    private Duration validity(Extension outcome) {
        return switch (outcome.kind()) {
            case EXTENDED -> ((Extension.Extended) outcome).lease().validity();
            case LOST, NOT_OWNER -> throw new ProblemException(
                    notLocked("The run does not hold the lock: its lease ended, or it was broken."));
            case EXHAUSTED, UNCONFIRMED -> throw new ProblemException(outcomes.extension(outcome));
        };
    }

    private static Answer notLocked(String why) {
        return Answer.of(STATE_NOT_LOCKED, why);
    }

    private static <T> Future<T> future(Uni<T> outcome) {
        return Future.fromCompletionStage(outcome.subscribeAsCompletionStage());
    }

    /** The way of one method. */
    private interface Handling {
        Future<Void> serve(String state, RoutingContext request, StateStore store);
    }
}
