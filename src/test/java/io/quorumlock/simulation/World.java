package io.quorumlock.simulation;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.simulation.Call.Kind;
import io.quorumlock.simulation.Master.Persistence;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The world of one run, which follows from its seed alone. */
final class World {
    private static final int CALLS = 200;
    private static final long A_HEARTBEAT = Scale.millis(1_000);
    private static final long DAY_MILLIS = 86_400_000;
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
    final Conditions conditions;
    final boolean calm;
    /** The most pending clean-ups for one node: few, or more than there can be. */
    final int cleanUpsMax;
    /** The longest pause, in milliseconds, before a client asks again for a held lock. */
    final int longestRest;
    /** The percentage of release announcements that are lost. */
    final int announcementsLost;
    /** The persistence of all masters; empty if each has its own. */
    private final Optional<Persistence> persistence;

    private final List<Client> clients;
    private final Disasters disasters;
    private final Map<ResourceName, Register> registers = new HashMap<>();
    private final Map<LeaseToken, Integer> votesUnderWay = new HashMap<>();
    private final Map<Master, Long> doubtedAt = new HashMap<>();
    int stepsSeen;
    int foundings;
    int restartsSeen;
    private int callsLeft = CALLS;
    private int open;

    World(long seed, Tampering tampering, boolean told) {
        this.chance = new Chance(seed);
        this.tampering = tampering;
        this.story = new Story(agenda, told);
        this.calm = chance.in(8);
        this.cleanUpsMax = chance.in(4) ? 1 : 10_000;
        this.longestRest = chance.of(List.of(50, 200, 600));
        this.conditions = Conditions.draw(chance.split(), isBeyondTheModel());
        this.persistence =
                chance.in(2) && !conditions.nobodyForgets() ? Optional.of(chance.of(FORGETFUL)) : Optional.empty();
        int size = chance.in(4) ? 3 : 5;
        this.masters = IntStream.range(0, size)
                .mapToObj(number -> master(number, size))
                .toList();
        this.replicas =
                IntStream.range(0, chance.between(1, 4)).mapToObj(this::replica).toList();
        this.resources = IntStream.range(0, chance.between(1, isForgetful() ? 8 : 3))
                .mapToObj(i -> new ResourceName("resource/" + i))
                .toList();
        this.weather = new Weather(
                agenda, chance.split(), replicas.size(), size, calm ? 0 : chance.of(List.of(0, 10, 40, 200)));
        this.faults = new Faults(this, chance.split());
        this.disasters = new Disasters(this, chance.split());
        this.clients = IntStream.range(0, chance.between(2, 6))
                .mapToObj(i -> new Client(i, this, chance.split()))
                .toList();
        if (calm) {
            history.calm();
        }
        this.announcementsLost = chance.of(List.of(0, 0, 30, 100));
    }

    /** The time of day of most masters is about right; where a minority of one may fail, the first is wrong by days. */
    private long wallOffset(int number, int size, Chance own) {
        long most = clocksAgree() ? 0 : Scale.WALL_CLOCK_ERROR.toMillis();
        long offset = own.between((int) -most, (int) most);
        return number == 0 && size > 3 && !clocksAgree() ? own.between(-10, 10) * DAY_MILLIS : offset;
    }

    private Master master(int number, int size) {
        Chance own = chance.split();
        Persistence drawn = conditions.nobodyForgets() ? Persistence.KEEPS_ALL : own.of(List.of(Persistence.values()));
        long began = Scale.millis(Scale.EPOCH_MILLIS + wallOffset(number, size, own));
        return new Master(number, this, new OwnClock(agenda, rate(own), began), persistence.orElse(drawn));
    }

    private Replica replica(int number) {
        Chance own = chance.split();
        return new Replica(number, this, clock(own), conditions.clocksAgree() ? 0 : own.between(-10, 10) * DAY_MILLIS);
    }

    private OwnClock clock(Chance own) {
        return new OwnClock(agenda, rate(own), own.millis(0, 1_000_000));
    }

    /** Draws how fast a machine's clock is: often as wrong as it may be. */
    private static double rate(Chance own) {
        return own.in(2) ? own.around(1, Scale.RATE_ERROR) : 1 + (own.in(2) ? 1 : -1) * Scale.RATE_ERROR;
    }

    void begin() {
        if (!conditions.isNew()) {
            masters.forEach(master -> master.server.found(masters.size()));
        }
        replicas.forEach(Replica::start);
        clients.forEach(Client::begin);
        faults.begin(calm);
        if (isBeyondTheModel()) {
            disasters.begin();
        }
    }

    /** Ends everything that goes wrong, and mends what can be mended. */
    void heal() {
        disasters.end();
        faults.heal();
    }

    boolean isBeyondTheModel() {
        return tampering.isBeyondTheModel();
    }

    /** Returns whether the masters agree on the time of day. */
    boolean clocksAgree() {
        return conditions.clocksAgree();
    }

    /** Counts why replicas asked the restart guard, and looks whether they had a reason to doubt a clock. */
    void sawAdmission(Master master, String occasion) {
        stepsSeen += occasion.equals("stepped") ? 1 : 0;
        foundings += occasion.equals("found") ? 1 : 0;
        // Of a suspension within a second of a step the service takes a step of all masters.
        boolean judged = false;
        if (occasion.equals("stepped") && master.keptTime() && judged) {
            doubtedAt.put(master, agenda.now());
            doubtedAt.values().removeIf(moment -> agenda.now() - moment > A_HEARTBEAT);
            if (doubtedAt.size() == masters.size()) {
                history.found(Promise.L, "all masters are in quarantine though their clocks are right");
            }
        }
    }

    /** Picks a replica that allows so long a lease. */
    Replica replicaFor(Chance draws, Duration ttl) {
        Replica drawn = draws.of(replicas);
        return drawn.allows(ttl)
                ? drawn
                : replicas.stream()
                        .filter(replica -> replica.allows(ttl))
                        .findFirst()
                        .orElse(drawn);
    }

    /** Returns the longest TTL that any replica allows now. */
    Duration ttlMax() {
        return replicas.stream()
                .map(Replica::ttlMax)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Lets a master tell all replicas that a lock was deleted, and counts those that listen for that. */
    int announce(Master master, ResourceName resource, boolean passedOn) {
        return (int) replicas.stream()
                .filter(Replica::isUp)
                .filter(replica -> replica.signal.announce(master, resource, passedOn))
                .count();
    }

    /** Notes that a node was asked for its vote, or that the question has reached it. */
    void underWay(LeaseToken token, int more) {
        votesUnderWay.merge(token, more, Integer::sum);
    }

    /** Returns whether a node may yet vote for what was asked before; a question that was lost is taken for a late one. */
    boolean areVotesUnderWay(LeaseToken token) {
        return votesUnderWay.getOrDefault(token, 0) > 0;
    }

    /** Counts that a replica found another process behind a connection. */
    void sawRestart() {
        restartsSeen++;
    }

    Map<Disaster, Integer> disasters() {
        return disasters.done();
    }

    Register register(ResourceName resource) {
        return registers.computeIfAbsent(resource, name -> new Register());
    }

    /** Counts the updates that a resource lost which refuses nobody. */
    int lostWithoutFence() {
        return registers.values().stream().mapToInt(Register::lostOpenly).sum();
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

    /** Returns how long nobody starts anything: now and then all rest for longer than a quarantine lasts. */
    long lull() {
        long since = agenda.now() % LULL_EVERY;
        return isForgetful() && since < LULL ? LULL - since : 0;
    }

    /** Returns whether no master keeps all it knows. */
    boolean isForgetful() {
        return persistence.isPresent();
    }

    /**
     * Looks, in fair weather, whether an acquire that brought no lease has left something when its clean-up is over. Beyond
     * the model who waits may adopt what its own earlier attempt left on a master that was away for the clean-up.
     */
    void watch(Call call) {
        if (call.kind == Kind.RELEASE) {
            agenda.after(TIME_TO_CLEAN_UP, () -> new ReleaseCheck(this, call).check());
        }
        boolean leased = Claim.lease(call).isPresent();
        boolean once = !isBeyondTheModel() || call.patience.isZero();
        if (calm && once && call.kind.asksForLease() && !leased) {
            agenda.after(TIME_TO_CLEAN_UP, () -> {
                if (isOnlyCall(call) && masters.stream().anyMatch(master -> holds(master, call))) {
                    history.found(
                            call.left ? Promise.R11 : Promise.N, "an attempt without a lease left its value: " + call);
                }
            });
        }
    }

    /** Looks whether what is kept in hand stays within its bounds. */
    void checkBounds() {
        replicas.stream()
                .filter(replica -> replica.cleanUpsPending() > cleanUpsMax * masters.size())
                .forEach(replica -> history.found(
                        Promise.R14, replica.cleanUpsPending() + " clean-ups in hand on replica-" + replica.number));
    }

    /** Ends all replicas. */
    void end() {
        replicas.forEach(Replica::disconnect);
    }

    /** Looks at what is left when all is over. */
    void inspect() {
        new FinalCheck(this).check(registers);
    }

    boolean isOnlyCall(Call call) {
        return history.calls().stream().noneMatch(other -> other != call && other.token.equals(call.token));
    }

    private static boolean holds(Master master, Call call) {
        return master.store.inspect(call.resource) instanceof NodeReply.Holding holding
                && new LeaseToken(holding.holder()).equals(call.token);
    }
}
