package io.quorumlock.http;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Lane;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.Waiters;
import io.quorumlock.security.Verb;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Answers for locks. A client that leaves cancels its call, and that cancels the engine's.
 *
 * <p>The template takes the whole rest of the path only to route it; what it says is read by {@link LockPath}.
 */
@Singleton
@Path("/locks/{resource:.*}")
final class LockResource {
    private final LockEngine engine;
    private final Waiters waiters;
    private final LockDirectory directory;
    private final Limits limits;
    private final Lanes lanes;
    private final OutcomeMapper outcomes;
    private final AnswerWriter writer;

    LockResource(
            LockEngine engine,
            LockDirectory directory,
            Waiters waiters,
            Limits limits,
            Lanes lanes,
            OutcomeMapper outcomes,
            AnswerWriter writer) {
        this.engine = engine;
        this.directory = directory;
        this.waiters = waiters;
        this.limits = limits;
        this.lanes = lanes;
        this.outcomes = outcomes;
        this.writer = writer;
    }

    @POST
    public Uni<Response> acquire(@Context RoutingContext context) {
        return answer(context, call -> {
            call.access().require(Verb.ACQUIRE, call.resource());
            AcquireRequest request = AcquireRequest.read(call, limits);
            Uni<Answer> answer = ask(() -> acquire(request), outcome -> outcomes.acquisition(request, outcome));
            return request.terms().patience().isZero()
                    ? answer
                    : answer.onTermination().invoke(call.access().enterToWait());
        });
    }

    /** Who may wait has a place in the waiting room. */
    private CompletableFuture<Acquisition> acquire(AcquireRequest request) {
        Supplier<CompletableFuture<Acquisition>> call = () -> engine.acquire(request.resource(), request.terms());
        return request.terms().patience().isZero() ? lanes.through(Lane.OPEN, call) : call.get();
    }

    @PUT
    public Uni<Response> extend(@Context RoutingContext context) {
        return answer(context, call -> {
            call.access().require(Verb.EXTEND, call.resource());
            ExtendRequest request = ExtendRequest.read(call, limits);
            return ask(
                    () -> lanes.through(
                            Lane.RESERVED, () -> engine.extend(request.resource(), request.token(), request.terms())),
                    outcomes::extension);
        });
    }

    @DELETE
    public Uni<Response> release(@Context RoutingContext context) {
        return answer(context, call -> {
            Fields fields = call.fields(ReleaseRequest.FIELDS);
            if (fields.flag(ForceRequest.FORCE)) {
                call.access().require(Verb.FORCE, call.resource());
                ForceRequest forced = ForceRequest.read(call, fields, context.request());
                return ask(() -> lanes.through(Lane.RESERVED, () -> force(forced)), outcomes::forcedRelease);
            }
            call.access().require(Verb.RELEASE, call.resource());
            ReleaseRequest request = ReleaseRequest.read(call.resource(), fields);
            return ask(
                    () -> lanes.through(Lane.RESERVED, () -> engine.release(request.resource(), request.token())),
                    outcomes::release);
        });
    }

    /** Carries it through and logs it though the client may leave: that cancels only the copy. */
    private CompletableFuture<ForcedRelease> force(ForceRequest request) {
        CompletableFuture<ForcedRelease> outcome = directory.forceRelease(request.resource());
        outcome.thenAccept(
                end -> ForceAudit.log(request, outcomes.forcedRelease(end).status(), end));
        return outcome.copy();
    }

    @GET
    public Uni<Response> inspect(@Context RoutingContext context) {
        return answer(context, call -> {
            call.access().require(Verb.READ, call.resource());
            call.fields(Set.of()).check();
            return ask(
                    () -> lanes.through(Lane.OPEN, () -> engine.inspect(call.resource())),
                    outcome -> outcomes.inspection(outcome, waiters.on(call.resource())));
        });
    }

    private Uni<Response> answer(RoutingContext context, Function<LockCall, Uni<Answer>> action) {
        LockCall call = LockCall.of(context);
        HttpServerRequest request = context.request();
        Uni<Answer> answer = RequestBody.mayFollow(request)
                ? RequestBody.read(request).flatMap(body -> action.apply(call.withBody(body)))
                : action.apply(call);
        return answer.map(writer::toResponse);
    }

    static <T> Uni<Answer> ask(Supplier<CompletableFuture<T>> engine, Function<T, Answer> table) {
        return Uni.createFrom().completionStage(engine).map(table);
    }
}
