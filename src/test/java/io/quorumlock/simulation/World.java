package io.quorumlock.simulation;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.Unanswered.Effect;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.simulation.Call.Kind;
import io.quorumlock.simulation.Master.Persistence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Is everything there is in one run: it is made from a seed, and whatever happens in it follows from that seed. */
final class World {
    private static final int CALLS = 200;
    private static final long LULL = Scale.QUARANTINE.plusMillis(300).toNanos();
    private static final long LULL_EVERY = LULL + Scale.millis(1_000);
    private static final List<Persistence> FORGETFUL = List.of(Persistence.LOSES_ALL, Persistence.LOSES_RECENT);
    private static final long TIME_TO_CLEAN_UP = Scale.millis(700);

    final Agenda agenda = new Agenda();
    final History history = new History();
    final Story story;
    final Chance chance;
    final Tampering tampering;
    final Weather weather;
    final List<Master> masters;
    final List<Replica> replicas;
    final List<ResourceName> resources;
    final Faults faults;
    final boolean calm;
    /** Is how long clients rest at most, in milliseconds, before they ask again for what others hold. */
    final int longestRest;
    /** Is what all masters keep; empty where each is set up in its own way. */
    private final Optional<Persistence> persistence;

    private final List<Client> clients;
    private int callsLeft = CALLS;
    private int open;

    World(long seed, Tampering tampering, boolean told) {
        this.chance = new Chance(seed);
        this.tampering = tampering;
        this.story = new Story(agenda, told);
        this.calm = chance.in(8);
        this.longestRest = chance.of(List.of(50, 200, 600));
        this.persistence = chance.in(3) ? Optional.of(chance.of(FORGETFUL)) : Optional.empty();
        int size = chance.in(4) ? 3 : 5;
        this.masters = IntStream.range(0, size).mapToObj(this::master).toList();
        this.replicas =
                IntStream.range(0, chance.between(1, 4)).mapToObj(this::replica).toList();
        this.resources = IntStream.range(0, chance.between(1, isForgetful() ? 8 : 3))
                .mapToObj(i -> new ResourceName("resource/" + i))
                .toList();
        this.weather = new Weather(
                agenda, chance.split(), replicas.size(), size, calm ? 0 : chance.of(List.of(0, 10, 40, 200)));
        this.faults = new Faults(this, chance.split());
        this.clients = IntStream.range(0, chance.between(2, 6))
                .mapToObj(i -> new Client(i, this, chance.split()))
                .toList();
    }

    private Master master(int number) {
        Chance own = chance.split();
        Persistence drawn = own.of(List.of(Persistence.values()));
        return new Master(number, clock(own), persistence.orElse(drawn), tampering);
    }

    private Replica replica(int number) {
        Chance own = chance.split();
        return new Replica(number, this, clock(own), own.between(-1_000, 1_000));
    }

    private OwnClock clock(Chance own) {
        return new OwnClock(agenda, own.around(1, Scale.RATE_ERROR), own.millis(0, 1_000_000));
    }

    void begin() {
        replicas.forEach(Replica::start);
        clients.forEach(Client::begin);
        faults.begin(calm);
    }

    /** Takes one of the calls that are left in this run. */
    boolean mayCall() {
        return callsLeft-- > 0;
    }

    boolean isIdle() {
        return callsLeft <= 0 && open == 0;
    }

    void opened() {
        open++;
    }

    void closed() {
        open--;
    }

    /** Tells how long nobody starts anything: now and then all rest for longer than a quarantine lasts. */
    long lull() {
        long since = agenda.now() % LULL_EVERY;
        return isForgetful() && since < LULL ? LULL - since : 0;
    }

    /** Says whether no master keeps all it knows. */
    boolean isForgetful() {
        return persistence.isPresent();
    }

    /** Looks, in fair weather, whether an acquire that brought no lease has left something when its clean-up is over. */
    void watch(Call call) {
        boolean leased = Claim.lease(call).isPresent();
        if (calm && call.kind == Kind.ACQUIRE && !leased) {
            agenda.after(TIME_TO_CLEAN_UP, () -> {
                if (isOnlyCall(call) && masters.stream().anyMatch(master -> holds(master, call))) {
                    history.found(
                            call.left ? Promise.R11 : Promise.N, "an attempt without a lease left its value: " + call);
                }
            });
        }
    }

    /** Looks at what is left when all is over. */
    void inspect() {
        masters.stream()
                .filter(master -> !master.store.isEmpty())
                .forEach(master -> history.found(Promise.N, "keys left on node-" + master.number));
        replicas.stream()
                .filter(replica -> replica.cleanUpsPending() > 0)
                .forEach(replica -> history.found(Promise.N, "clean-ups pending on replica-" + replica.number));
        if (agenda.pending() > 0) {
            history.found(Promise.N, agenda.pending() + " timers are left");
        }
        history.calls().stream()
                .filter(World::saysNoEffect)
                .filter(this::isOnlyCall)
                .forEach(call -> {
                    if (masters.stream().anyMatch(master -> master.everGranted(call.token))) {
                        history.found(Promise.R15, "an effect after \"no effect\": " + call);
                    }
                });
    }

    private static boolean saysNoEffect(Call call) {
        return call.outcome.orElse(null) instanceof Acquisition.NoQuorum none
                && none.why().effect() == Effect.NONE;
    }

    private boolean isOnlyCall(Call call) {
        List<Call> others = new ArrayList<>(history.calls());
        others.removeIf(other -> other == call || !other.token.equals(call.token));
        return others.isEmpty();
    }

    private static boolean holds(Master master, Call call) {
        return master.store.inspect(call.resource) instanceof NodeReply.Holding holding
                && new LeaseToken(holding.holder()).equals(call.token);
    }
}
