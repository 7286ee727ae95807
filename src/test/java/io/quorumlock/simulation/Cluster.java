// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ReleaseSignal;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.history.Promise;
import io.quorumlock.simulation.Coverage.Measure;
import io.quorumlock.simulation.Master.Durability;
import io.quorumlock.testing.SeededRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The simulated masters or store, replicas and clients of one run. All of it depends only on the seed. */
final class Cluster {
    private static final int CALLS = 200;
    private static final long DAY_MILLIS = 86_400_000;
    private static final long QUIET_PERIOD = Scale.QUARANTINE.plusMillis(300).toNanos();
    private static final long QUIET_PERIOD_INTERVAL = QUIET_PERIOD + Scale.millis(1_000);
    private static final List<Durability> FORGETFUL = List.of(Durability.LOSES_ALL, Durability.LOSES_RECENT);

    final EventQueue events = new EventQueue();
    final CallLog calls = new CallLog();
    final Coverage coverage = new Coverage();
    final RunLog log;
    final SeededRandom random;
    final Scenario scenario;
    final Network network;
    /** The masters; none in a run on a store. */
    final List<Master> masters;
    /** The store; empty in a run on masters. */
    final Optional<SimulatedStore> store;

    final List<Replica> replicas;
    final List<ResourceName> resources;
    final RandomFaults faults;
    final RunConditions conditions;
    final boolean faultFree;
    /** The limit of pending clean-ups per master: very low, or unreachable. */
    final int cleanUpsMax;
    /** The longest pause in milliseconds before a client requests a held lock again. */
    final int longestRest;
    /** The percentage of release announcements that are lost. */
    final int announcementsLost;
    /** The persistence of all masters; empty if each has its own. */
    private final Optional<Durability> persistence;

    private final List<Client> clients;
    private final MajorityFaults majorityFaults;
    private final StoreFaults storeFaults;
    private final Map<ResourceName, Register> registers = new HashMap<>();
    private final Map<LeaseToken, Integer> votesInFlight = new HashMap<>();
    private int callsLeft = CALLS;
    private int open;

    final Additions additions;

    Cluster(long seed, Scenario scenario, boolean logged) {
        this.random = new SeededRandom(seed);
        this.additions = Additions.of(seed);
        this.scenario = scenario;
        this.log = new RunLog(events, logged);
        this.faultFree = random.onceIn(8);
        this.cleanUpsMax = random.onceIn(4) ? 1 : 10_000;
        this.longestRest = random.of(List.of(50, 200, 600));
        this.conditions = RunConditions.draw(random.split(), scenario);
        this.persistence = random.onceIn(2) && !conditions.allMastersPersist()
                ? Optional.of(random.of(FORGETFUL))
                : Optional.empty();
        int size = scenario == Scenario.CONSENSUS ? 0 : random.onceIn(4) ? 3 : 5;
        this.masters = IntStream.range(0, size)
                .mapToObj(number -> master(number, size))
                .toList();
        this.store = size == 0 ? Optional.of(new SimulatedStore(events, random.split())) : Optional.empty();
        this.replicas = IntStream.range(0, random.between(conditions.otherList() ? 2 : 1, 4))
                .mapToObj(this::replica)
                .toList();
        this.resources = IntStream.range(0, random.between(1, isForgetful() ? 8 : 3))
                .mapToObj(i -> new ResourceName("resource/" + i))
                .toList();
        this.network = new Network(
                events, random.split(), replicas.size(), size, random.of(List.of(0, 10, 40, 200)), faultFree);
        this.faults = new RandomFaults(this, random.split());
        this.majorityFaults = new MajorityFaults(this, random.split());
        this.storeFaults = new StoreFaults(this, random);
        this.clients = IntStream.range(0, random.between(2, 6))
                .mapToObj(i -> new Client(i, this, random.split()))
                .toList();
        this.announcementsLost = random.of(List.of(0, 0, 30, 100));
    }

    /**
     * Draws the error of a master's time of day. It is small for most masters, and days for the first one if a minority
     * of one may fail.
     */
    private long wallOffset(int number, int size, SeededRandom own) {
        long most = conditions.clocksAgree() ? 0 : Scale.WALL_CLOCK_ERROR.toMillis();
        long offset = own.between((int) -most, (int) most);
        return number == 0 && size > 3 && !conditions.clocksAgree() ? own.between(-10, 10) * DAY_MILLIS : offset;
    }

    private Master master(int number, int size) {
        SeededRandom own = random.split();
        Durability drawn = conditions.allMastersPersist() ? Durability.KEEPS_ALL : own.of(List.of(Durability.values()));
        long began = Scale.millis(Scale.EPOCH_MILLIS + wallOffset(number, size, own));
        return new Master(number, this, new HostClock(events, rate(own), began), persistence.orElse(drawn));
    }

    private Replica replica(int number) {
        SeededRandom own = random.split();
        return new Replica(number, this, clock(own), conditions.clocksAgree() ? 0 : own.between(-10, 10) * DAY_MILLIS);
    }

    private HostClock clock(SeededRandom own) {
        return new HostClock(events, rate(own), own.millis(0, 1_000_000));
    }

    /** Draws the rate of a machine's clock: often with the maximum error. */
    private static double rate(SeededRandom own) {
        return own.onceIn(2) ? own.around(1, Scale.RATE_ERROR) : 1 + (own.onceIn(2) ? 1 : -1) * Scale.RATE_ERROR;
    }

    void begin() {
        if (!conditions.isNew()) {
            masters.forEach(master -> master.server.found(master.number + 1, masters.size()));
        }
        replicas.forEach(Replica::start);
        clients.forEach(Client::begin);
        switch (scenario) {
            case REDLOCK -> faults.begin(faultFree);
            case REDLOCK_BEYOND_THE_MODEL -> {
                faults.begin(faultFree);
                majorityFaults.begin();
            }
            case CONSENSUS -> storeFaults.begin(faultFree);
        }
    }

    /** Ends all faults. */
    void heal() {
        majorityFaults.end();
        storeFaults.end();
        faults.heal();
        if (conditions.otherList()) {
            replicas.get(replicas.size() - 1).restart();
        }
    }

    /**
     * Returns whether quarantines may start after the faults ended. A replica that runs again only now may detect steps of the
     * masters' clocks. One that was suspended may suspect them as soon as it is connected. Where a master is configured
     * twice, replicas may have different ids for it.
     */
    boolean isSlowToRecover(long faultsEnded) {
        return conditions.oneNamedTwice()
                || coverage.of(SimulatedFault.REPLICA_SUSPENDED) > 0
                || replicas.stream().anyMatch(replica -> replica.hinderedAt() > faultsEnded);
    }

    /** Counts why replicas called the restart guard. */
    void recordAdmission(boolean stepped, boolean founded) {
        coverage.add(Measure.STEP_DETECTED, stepped ? 1 : 0);
        coverage.add(Measure.FOUNDED, founded ? 1 : 0);
    }

    /** Draws a replica that allows this TTL. */
    Replica replicaFor(SeededRandom draws, Duration ttl) {
        Replica drawn = draws.of(replicas);
        return drawn.allows(ttl)
                ? drawn
                : replicas.stream()
                        .filter(replica -> replica.allows(ttl))
                        .findFirst()
                        .orElse(drawn);
    }

    /** Returns whether a replica has another list of masters than the others. */
    boolean hasOtherList(Replica replica) {
        return conditions.otherList() && replica.number == replicas.size() - 1 && !faults.areOver();
    }

    /** Returns the longest TTL that any replica allows. */
    Duration ttlMax() {
        return replicas.stream()
                .map(Replica::ttlMax)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Announces a deleted lock to all subscribed replicas. */
    void announce(Master master, ResourceName resource, Consumer<ReleaseSignal.Listener> announcement) {
        subscribed(resource).forEach(replica -> replica.masters().signal().announce(master, resource, announcement));
    }

    /** Returns the replicas that are subscribed to the releases of a lock. */
    List<Replica> subscribed(ResourceName resource) {
        return replicas.stream()
                .filter(Replica::isUp)
                .filter(replica -> replica.masters().signal().isSubscribed(resource))
                .toList();
    }

    /** Counts a request that can begin a lease as sent (1) or as arrived (-1). */
    void addVotesInFlight(LeaseToken token, int more) {
        votesInFlight.merge(token, more, Integer::sum);
    }

    /** Returns whether an earlier request may still begin a lease. Lost requests count as late. */
    boolean areVotesInFlight(LeaseToken token) {
        return votesInFlight.getOrDefault(token, 0) > 0;
    }

    Register register(ResourceName resource) {
        return registers.computeIfAbsent(resource, name -> new Register());
    }

    /** Counts the lost updates of resources that ignore fencing tokens. */
    int lostWithoutFence() {
        return registers.values().stream().mapToInt(Register::lostUnfenced).sum();
    }

    /** Consumes one of the calls of this run, and returns whether there was one left. */
    boolean takeCall() {
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

    /** Returns how long clients must not start new calls. Sometimes all of them pause for longer than a quarantine. */
    long quietPeriod() {
        long since = events.now() % QUIET_PERIOD_INTERVAL;
        return isForgetful() && since < QUIET_PERIOD ? QUIET_PERIOD - since : 0;
    }

    /** Returns whether no master persists all writes. */
    boolean isForgetful() {
        return persistence.isPresent();
    }

    /** Checks that pending clean-ups stay within their limit. */
    void checkBounds() {
        replicas.stream()
                .filter(replica -> store.isEmpty() && replica.cleanUpsPending() > cleanUpsMax * masters.size())
                .forEach(replica -> calls.found(
                        Promise.R14, replica.cleanUpsPending() + " pending clean-ups on replica-" + replica.number));
    }

    /** Disconnects all replicas. On a store, the replicas end, because they look for leftovers for ever. */
    void end() {
        replicas.forEach(store.isPresent() ? Replica::crash : Replica::disconnect);
    }

    /** Checks for leftovers. */
    void inspect() {
        new LeftoverCheck(this).check(registers);
    }

    boolean isOnlyCall(SimulatedCall call) {
        return calls.all().stream().noneMatch(other -> other != call && other.token.equals(call.token));
    }
}
