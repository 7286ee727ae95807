// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.fleetlock;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.Inspection.HolderState;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.http.Access;
import io.quorumlock.http.Answer;
import io.quorumlock.http.LockCalls;
import io.quorumlock.http.OutcomeMapper;
import io.quorumlock.http.ProblemException;
import io.quorumlock.http.ProblemType;
import io.quorumlock.http.Problems;
import io.quorumlock.http.RequestReader;
import io.quorumlock.http.Route;
import io.quorumlock.http.keys.Verb;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The protocol FleetLock, by which Zincati lets the machines of a group take turns with their reboots. A group is a semaphore. Both
 * calls first look for the slots of the machine among the holders, so that any replica finds the lease that another one began.
 */
@Path("/fleetlock")
@Singleton
public final class FleetLock {
    private static final Answer DONE = Answer.of(200, Map.of());
    private static final String MARK = "fleet-lock-protocol";

    private final LockCalls calls;
    private final OutcomeMapper outcomes;
    private final RequestReader json;
    private final FleetLockConfig settings;
    private final Map<String, Integer> slotsOfGroups;
    private final Clock clock;

    FleetLock(LockCalls calls, OutcomeMapper outcomes, RequestReader json, FleetLockConfig settings, Clock clock) {
        this.calls = calls;
        this.outcomes = outcomes;
        this.json = json;
        this.settings = settings;
        this.slotsOfGroups = FleetLockConfig.slotsOfGroups(settings);
        this.clock = clock;
    }

    @Produces
    @Singleton
    static Route route(FleetLockConfig settings) {
        return Route.ofKeys(Route.below("/fleetlock"), "/fleetlock/{call}", "POST")
                .onlyIf(settings.enabled())
                .withErrors(FleetLockError::of);
    }

    private int slots(Machine machine) {
        return slotsOfGroups.getOrDefault(machine.group(), settings.slots());
    }

    /** Takes a slot for a machine, or extends the lease that it has. Needs the verbs for both. */
    @POST
    @Path("/v1/pre-reboot")
    public Uni<Answer> preReboot(byte[] body, RoutingContext request) {
        return answer(body, request, machine -> {
            Access access = Access.of(request);
            access.require(Verb.ACQUIRE, machine.lock());
            access.require(Verb.EXTEND, machine.lock());
            return calls.inspect(machine.lock(), request).flatMap(found -> {
                List<HolderState> holders = holders(found);
                return owners(holders, machine).stream()
                        .findFirst()
                        .map(own -> extend(own, machine, holders, request))
                        .orElseGet(() -> acquire(machine, holders, request));
            });
        });
    }

    /** Releases what the machine has: nothing, its slot, or two of them after requests at the same moment. */
    @POST
    @Path("/v1/steady-state")
    public Uni<Answer> steadyState(byte[] body, RoutingContext request) {
        return answer(body, request, machine -> {
            Access.of(request).require(Verb.RELEASE, machine.lock());
            return calls.inspect(machine.lock(), request)
                    .flatMap(found -> release(owners(holders(found), machine), machine, request));
        });
    }

    private Uni<Answer> answer(byte[] body, RoutingContext request, Function<Machine, Uni<Answer>> call) {
        if (!"true".equals(request.request().getHeader(MARK))) {
            throw new ProblemException(
                    Problems.invalidRequest(MARK, "must be a header of the request, with the value true"));
        }
        return call.apply(Machine.of(parse(body)));
    }

    private JsonNode parse(byte[] body) {
        try {
            return json.parse(body);
        } catch (IOException malformed) {
            throw new ProblemException(
                    Problems.invalidRequest("body", "must be one JSON object in UTF-8, without repeated members"));
        }
    }

    private List<HolderState> holders(Inspection found) {
        return switch (found.kind()) {
            case HELD -> ((Inspection.Held) found).holders();
            case FREE -> List.of();
            case NO_QUORUM -> throw new ProblemException(outcomes.inspection(found, name -> true, 0));
        };
    }

    private static List<Owner> owners(List<HolderState> holders, Machine machine) {
        return holders.stream()
                .filter(holder -> !holder.kept())
                .map(HolderState::owner)
                .filter(machine::is)
                .flatMap(Optional::stream)
                .toList();
    }

    private Uni<Answer> extend(Owner own, Machine machine, List<HolderState> holders, RoutingContext request) {
        return calls.extend(ResourceNames.of(machine.lock()), token(machine, own), settings.ttl(), request)
                .flatMap(outcome -> switch (outcome.kind()) {
                    case EXTENDED -> Uni.createFrom().item(DONE);
                    case LOST, NOT_OWNER -> acquire(machine, holders, request);
                    case EXHAUSTED, UNCONFIRMED -> Uni.createFrom().item(outcomes.extension(outcome));
                });
    }

    private Uni<Answer> acquire(Machine machine, List<HolderState> holders, RoutingContext request) {
        Owner owner = machine.ownerAt(clock.instant());
        AcquireTerms terms = new AcquireTerms(
                settings.ttl(),
                Duration.ZERO,
                Optional.of(token(machine, owner)),
                Optional.of(owner),
                LockKind.ofSlots(slots(machine)));
        return calls.acquire(ResourceNames.of(machine.lock()), terms, request).map(outcome -> switch (outcome.kind()) {
            case ACQUIRED, REPLAYED -> DONE;
            case HELD -> full(machine, holders);
            case OTHER_SLOTS -> otherSlots(machine, ((Acquisition.OtherSlots) outcome).slots());
            case TOKEN_IN_USE, NO_QUORUM, TOO_MANY_WAITERS, SHUTTING_DOWN -> outcomes.acquisition(outcome);
        });
    }

    /** @param holders those that were found before */
    private Answer full(Machine machine, List<HolderState> holders) {
        String owners = holders.stream()
                .flatMap(holder -> holder.owner().stream())
                .map(Owner::label)
                .collect(Collectors.joining(", "));
        String value = "No slot of the group " + machine.group() + " is free. Slots: " + slots(machine) + "."
                + (owners.isEmpty() ? "" : " Held by: " + owners + ".");
        return Answer.of(409, new FleetLockError("failed_lock", value));
    }

    private Answer otherSlots(Machine machine, int slots) {
        return Answer.of(
                ProblemType.OTHER_SLOTS,
                "Machines of the group " + machine.group() + " took its slots when there were " + slots
                        + ", and now there are " + slots(machine)
                        + ". Wait until all of them are back, or until their slots end with their TTLs.");
    }

    private Uni<Answer> release(List<Owner> owners, Machine machine, RoutingContext request) {
        if (owners.isEmpty()) {
            return Uni.createFrom().item(DONE);
        }
        LeaseToken token = token(machine, owners.get(0));
        return calls.release(ResourceNames.of(machine.lock()), token, Duration.ZERO, request)
                .flatMap(outcome -> outcome.kind() == Release.Kind.UNCONFIRMED
                        ? Uni.createFrom().item(unconfirmed())
                        : release(owners.subList(1, owners.size()), machine, request));
    }

    private static Answer unconfirmed() {
        return Answer.of(
                        ProblemType.RELEASE_INCOMPLETE,
                        "The service and the machine may both repeat it. At the latest, the slot is free after its TTL.")
                .retryAfter(1);
    }

    private static LeaseToken token(Machine machine, Owner owner) {
        return LeaseToken.derivedFrom(machine.lock(), owner.label());
    }
}
