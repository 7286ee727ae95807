package io.quorumlock.rest;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Limits;
import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.RequestClass;
import io.quorumlock.security.Verb;
import io.quorumlock.waiting.WaiterCount;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Answers for locks. */
@Singleton
final class Locks {
    private final LockEngine engine;
    private final WaiterCount waiters;
    private final LockDirectory directory;
    private final Limits limits;
    private final Lanes lanes;
    private final OutcomeMapper outcomes;
    private final Exchanges exchanges;

    Locks(
            LockEngine engine,
            LockDirectory directory,
            WaiterCount waiters,
            Limits limits,
            Lanes lanes,
            OutcomeMapper outcomes,
            Exchanges exchanges) {
        this.engine = engine;
        this.directory = directory;
        this.waiters = waiters;
        this.limits = limits;
        this.lanes = lanes;
        this.outcomes = outcomes;
        this.exchanges = exchanges;
    }

    void acquire(LockCall call, RoutingContext context) {
        call.access().require(Verb.ACQUIRE, call.resource());
        AcquireRequest request = AcquireRequest.read(call, limits);
        exchanges.answer(
                context,
                request.terms().patience().isZero()
                        ? lanes.through(RequestClass.OPEN, () -> engine.acquire(request.resource(), request.terms()))
                        : waitFor(request, call.access()),
                outcome -> outcomes.acquisition(request, outcome),
                outcome -> takeBack(request, outcome));
    }

    /**
     * Releases a lease whose answer was cut off (R11), as nobody else knows its token. One that the client chose may be in use by
     * now: it was asked with again, or extended, on another connection.
     */
    private void takeBack(AcquireRequest request, Acquisition outcome) {
        if (outcome instanceof Acquisition.Acquired acquired
                && request.terms().token().isEmpty()) {
            engine.release(request.resource(), acquired.lease().token());
        }
    }

    /** Who may wait has a place in the waiting room, and is in no lane. */
    private CompletableFuture<Acquisition> waitFor(AcquireRequest request, Access access) {
        Runnable leave = access.enterToWait();
        CompletableFuture<Acquisition> outcome = engine.acquire(request.resource(), request.terms());
        outcome.whenComplete((end, bug) -> leave.run());
        return outcome;
    }

    void extend(LockCall call, RoutingContext context) {
        call.access().require(Verb.EXTEND, call.resource());
        ExtendRequest request = ExtendRequest.read(call, limits);
        exchanges.answer(
                context,
                lanes.through(
                        RequestClass.RESERVED,
                        () -> engine.extend(request.resource(), request.token(), request.terms())),
                outcomes::extension);
    }

    void release(LockCall call, RoutingContext context) {
        Fields fields = call.fields(ReleaseRequest.FIELDS);
        if (fields.flag(ForceRequest.FORCE)) {
            call.access().require(Verb.FORCE, call.resource());
            ForceRequest forced = ForceRequest.read(call, fields, context.request());
            exchanges.answer(
                    context, lanes.through(RequestClass.RESERVED, () -> force(forced)), outcomes::forcedRelease);
            return;
        }
        call.access().require(Verb.RELEASE, call.resource());
        ReleaseRequest request = ReleaseRequest.read(call.resource(), fields);
        exchanges.answer(
                context,
                lanes.through(RequestClass.RESERVED, () -> engine.release(request.resource(), request.token())),
                outcomes::release);
    }

    /** Carries it through and logs it though the client may leave: that cancels only the copy. */
    private CompletableFuture<ForcedRelease> force(ForceRequest request) {
        CompletableFuture<ForcedRelease> outcome = directory.forceRelease(request.resource());
        outcome.thenAccept(
                end -> ForceAudit.log(request, outcomes.forcedRelease(end).status(), end));
        return outcome.copy();
    }

    void inspect(LockCall call, RoutingContext context) {
        call.access().require(Verb.READ, call.resource());
        call.fields(Set.of()).check();
        exchanges.answer(
                context,
                lanes.through(RequestClass.OPEN, () -> engine.inspect(call.resource())),
                outcome -> outcomes.inspection(outcome, waiters.on(call.resource())));
    }
}
