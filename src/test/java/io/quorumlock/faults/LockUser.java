// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.faults.LockCaller.Wish;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A client that acquires, works, extends and releases, and sometimes violates the rules for clients. */
final class LockUser implements Runnable {
    private static final int MOST_ATTEMPTS = 4;
    private static final int SESSIONS_IN_A_THOUSAND = 12;
    /** The minimum TTL for a repeated acquire with a wait. */
    private static final long LONG_MS = 1_200;

    private static final long PATIENT_MS = TimeCheck.LONGEST.toMillis() + 10;
    private static final Duration AFTER_REFUSAL = Duration.ofMillis(300);

    private final String name;
    private final FaultChance chance;
    private final LockCaller caller;
    private final RegisterClient register;
    private final String folder;
    private final BooleanSupplier stopped;
    private final long[] refusedUntil = new long[Setup.REPLICAS + 1];
    private int leases;

    /**
     * The tools of a client.
     *
     * @param folder prefix of the resources' names
     */
    record Tools(LockCaller caller, RegisterClient register, String folder) {}

    LockUser(String name, FaultChance chance, Tools tools, BooleanSupplier stopped) {
        this.name = name;
        this.chance = chance;
        this.caller = tools.caller();
        this.register = tools.register();
        this.folder = tools.folder();
        this.stopped = stopped;
    }

    @Override
    public void run() {
        try (caller;
                register) {
            while (!stopped.getAsBoolean()) {
                round();
            }
        }
    }

    private void round() {
        // A third of all rounds uses a sixth of the resources, so that there is contention.
        int many = chance.percent(33) ? Setup.RESOURCES / 6 : Setup.RESOURCES;
        Wish wish = wish(folder + chance.between(0, many - 1));
        if (chance.between(1, 1_000) <= SESSIONS_IN_A_THOUSAND) {
            new SessionUser(caller, chance, this::replica).hold(wish, this::work);
            pause(5, 30);
            return;
        }
        Call lease = acquire(wish);
        if (chance.percent(3)) {
            useUnknownToken(wish.resource());
        }
        if (!lease.isGrant()) {
            if (lease.status() == 423 && chance.percent(2)) {
                caller.breakLock(replica(), wish);
            }
            pause(5, 40);
            return;
        }
        work(lease);
        pause(5, 30);
        for (int i = 0; i < Setup.EXTENSIONS && chance.percent(20); i++) {
            caller.extend(replica(), chance.percent(10) ? wish.atLeast(nearMaximumValidity(wish)) : wish.atLeast(0));
            pause(5, 30);
        }
        if (wish.ttlMs() > LONG_MS && chance.percent(50)) {
            caller.acquire(
                    replica(), wish.atLeast(0).waiting(PATIENT_MS), 0); // returns its own lease despite other waiters
        }
        end(wish, lease);
    }

    private Wish wish(String resource) {
        long ttl = chance.percent(80) ? chance.between(300, 800) : chance.between(800, Setup.TTL_MAX.toMillis());
        Wish wish = new Wish(resource, name + "-" + ++leases, ttl);
        wish = chance.percent(8) ? wish.waiting(chance.between(100, 600)) : wish;
        return chance.percent(5) ? wish.atLeast(nearMaximumValidity(wish)) : wish;
    }

    /** Draws a minimum validity that a slow call cannot reach. */
    private long nearMaximumValidity(Wish wish) {
        Duration ttl = Duration.ofMillis(wish.ttlMs());
        return ttl.minus(Setup.DRIFT.of(ttl)).toMillis() - chance.between(1, 20);
    }

    /** Repeats calls without an answer with the same token, as the API recommends, or gives up. */
    private Call acquire(Wish wish) {
        Call call = chance.percent(wish.waitMs() > 0 ? 8 : 1)
                ? abandon(Operation.ACQUIRE, wish, wish.waitMs() > 0 ? chance.between(0, wish.waitMs()) : 0)
                : rememberRefusal(caller.acquire(replica(), wish, 1));
        boolean again = call.isGrant() ? chance.percent(2) : chance.percent(70);
        for (int i = 2; i <= MOST_ATTEMPTS && again; i++) {
            again = call.result() == Call.Result.UNKNOWN || call.isGrant();
            if (again) {
                Call repeated = caller.acquire(replica(), wish, i);
                again = !repeated.isGrant();
                call = repeated;
            }
        }
        return call;
    }

    private Call abandon(Operation operation, Wish wish, long afterMs) {
        return caller.abandon(Question.now(replica(), operation, wish, 1), Duration.ofMillis(afterMs));
    }

    /** Calls with an unknown token, which must have no effect. */
    private void useUnknownToken(String resource) {
        Wish stranger = wish(resource);
        if (chance.percent(50)) {
            caller.release(replica(), stranger);
        } else {
            caller.extend(replica(), stranger);
        }
    }

    private void work(Call lease) {
        if (chance.percent(30)) {
            String number = register.read(lease);
            pause(0, 10);
            if (!number.equals(FencedRegister.REFUSED)) {
                register.write(lease, number);
            }
        }
    }

    private void end(Wish wish, Call lease) {
        int way = chance.between(0, 99);
        if (way < 3 || wish.ttlMs() > LONG_MS && way >= 90) {
            return; // the lease expires
        }
        if (way < 5) {
            continueAfterExpiry(wish, lease);
        } else if (way < 8) {
            caller.release(1, wish);
            caller.release(2, wish);
        } else if (way < 10) {
            caller.release(replica(), wish);
            caller.extend(replica(), wish);
        } else if (way < 13 || wish.ttlMs() > LONG_MS && way < 40) {
            abandon(Operation.RELEASE, wish, chance.between(0, 2));
        } else if (caller.release(replica(), wish).result() == Call.Result.UNKNOWN) {
            caller.release(replica(), wish);
        }
    }

    /** Continues after the lease has ended, like a paused holder. */
    private void continueAfterExpiry(Wish wish, Call lease) {
        pause(wish.ttlMs(), wish.ttlMs() + 200);
        work(lease);
        if (chance.percent(50)) {
            caller.extend(replica(), wish);
        }
        caller.release(replica(), wish);
    }

    /** Draws a replica. A replica that refused connections is avoided for a while. */
    private int replica() {
        int drawn = chance.between(1, Setup.REPLICAS);
        return System.nanoTime() < refusedUntil[drawn] ? Setup.REPLICAS + 1 - drawn : drawn;
    }

    private Call rememberRefusal(Call call) {
        if (call.problem().equals(Call.REFUSED)) {
            refusedUntil[call.replica()] = call.returned() + AFTER_REFUSAL.toNanos();
        }
        return call;
    }

    private void pause(long leastMs, long mostMs) {
        Pause.of(Duration.ofMillis(chance.between(leastMs, mostMs)));
    }
}
