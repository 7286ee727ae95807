// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.core.lock.LockKind;
import io.quorumlock.history.Call;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Outcome;
import io.quorumlock.history.Terms;
import io.quorumlock.testing.SeededRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** A client that acquires, works, extends and releases, and sometimes violates the rules for clients. */
final class LockUser implements Runnable {
    private static final int MOST_ATTEMPTS = 4;
    private static final int READERS_AND_WRITERS = 4;
    private static final int SEMAPHORE = 5;
    private static final int SEVERAL_IN_A_HUNDRED = 10;
    private static final LockKind SLOTS = LockKind.ofSlots(2);
    private static final int SESSIONS_IN_A_THOUSAND = 12;
    /** The minimum TTL for a repeated acquire with a wait. */
    private static final Duration LONG = Duration.ofMillis(1_200);

    private static final Duration PATIENT = Setup.LONGEST_CALL.plusMillis(10);
    private static final Duration AFTER_REFUSAL = Duration.ofMillis(300);

    private final String name;
    private final SeededRandom random;
    private final RecordingClient caller;
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
    record Tools(RecordingClient caller, RegisterClient register, String folder) {}

    LockUser(String name, SeededRandom random, Tools tools, BooleanSupplier stopped) {
        this.name = name;
        this.random = random;
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
        int many = random.percent(33) ? Setup.RESOURCES / 6 : Setup.RESOURCES;
        int number = random.between(0, many - 1);
        Terms terms = terms(folder + number).of(kind(number));
        if (number % 6 != SEMAPHORE && random.percent(SEVERAL_IN_A_HUNDRED)) {
            terms = terms.of(LockKind.EXCLUSIVE).of(names(number, many));
        } else if (random.between(1, 1_000) <= SESSIONS_IN_A_THOUSAND) {
            new SessionUser(caller, random, this::replica).hold(terms, this::work);
            pause(5, 30);
            return;
        }
        Call lease = acquire(terms);
        if (random.percent(3)) {
            useUnknownToken(terms.resource());
        }
        if (!lease.gotLease()) {
            if (lease.outcome() == Outcome.HELD && random.percent(2)) {
                caller.breakLock(replica(), terms.of(List.of(terms.resource())));
            }
            pause(5, 40);
            return;
        }
        work(lease);
        pause(5, 30);
        for (int i = 0; i < Setup.EXTENSIONS && random.percent(20); i++) {
            caller.extend(replica(), terms);
            pause(5, 30);
        }
        if (isLong(terms) && random.percent(50)) {
            // returns its own lease despite other waiters
            caller.acquire(replica(), terms.waiting(PATIENT));
        }
        end(terms, lease);
    }

    private Terms terms(String resource) {
        long ttl = random.percent(80) ? random.between(300, 800) : random.between(800, Setup.TTL_MAX.toMillis());
        Terms terms = Terms.of(resource, name + "-" + ++leases, Duration.ofMillis(ttl));
        return random.percent(8) ? terms.waiting(Duration.ofMillis(random.between(100, 600))) : terms;
    }

    /** Draws the names of one to three locks, in any order. The first one is given. No lock is a semaphore. */
    private List<String> names(int first, int many) {
        return IntStream.concat(IntStream.of(first), IntStream.range(0, 2).map(i -> random.between(0, many - 1)))
                .filter(number -> number % 6 != SEMAPHORE)
                .distinct()
                .mapToObj(number -> folder + number)
                .toList();
    }

    /** One in six resources has readers and writers, one is a semaphore, and all clients know which. */
    private LockKind kind(int resource) {
        return switch (resource % 6) {
            case READERS_AND_WRITERS -> random.percent(70) ? LockKind.SHARED : LockKind.EXCLUSIVE;
            case SEMAPHORE -> SLOTS;
            default -> LockKind.EXCLUSIVE;
        };
    }

    /** Repeats calls without an answer with the same token, as the API recommends, or gives up. */
    private Call acquire(Terms terms) {
        long wait = TimeUnit.NANOSECONDS.toMillis(terms.longestWait());
        Call call = random.percent(wait > 0 ? 8 : 1)
                ? abandon(Operation.ACQUIRE, terms, wait > 0 ? random.between(0, wait) : 0)
                : rememberRefusal(caller.acquire(replica(), terms));
        boolean again = call.gotLease() ? random.percent(2) : random.percent(70);
        for (int i = 2; i <= MOST_ATTEMPTS && again; i++) {
            again = call.outcome().isUnknown() || call.gotLease();
            if (again) {
                call = caller.acquire(replica(), terms);
                again = !call.gotLease();
            }
        }
        return call;
    }

    private static boolean isLong(Terms terms) {
        return terms.ttl() > LONG.toNanos();
    }

    private Call abandon(Operation operation, Terms terms, long afterMs) {
        return caller.abandon(LockRequest.now(replica(), operation, terms), Duration.ofMillis(afterMs));
    }

    /** Calls with an unknown token, which must have no effect. */
    private void useUnknownToken(String resource) {
        Terms unknown = terms(resource);
        if (random.percent(50)) {
            caller.release(replica(), unknown);
        } else {
            caller.extend(replica(), unknown);
        }
    }

    /** Only one client at a time may write. */
    private void work(Call lease) {
        if (lease.terms().kind().isExclusive() && random.percent(30)) {
            String number = register.read(lease);
            pause(0, 10);
            if (!number.equals(FencedRegister.REFUSED)) {
                register.write(lease, number);
            }
        }
    }

    private void end(Terms terms, Call lease) {
        int way = random.between(0, 99);
        if (way < 3 || isLong(terms) && way >= 95) {
            return; // the lease expires
        }
        if (way < 5) {
            continueAfterExpiry(terms, lease);
        } else if (way >= 80) {
            Terms kept = terms.keeping(Duration.ofMillis(random.between(1, 100)));
            if (caller.release(replica(), kept).outcome().isUnknown()) {
                caller.release(replica(), kept);
            }
        } else if (way < 8) {
            caller.release(1, terms);
            caller.release(2, terms);
        } else if (way < 10) {
            caller.release(replica(), terms);
            caller.extend(replica(), terms);
        } else if (way < 13 || isLong(terms) && way < 40) {
            abandon(Operation.RELEASE, terms, random.between(0, 2));
        } else if (caller.release(replica(), terms).outcome().isUnknown()) {
            caller.release(replica(), terms);
        }
    }

    /** Continues after the lease has ended, like a paused holder. */
    private void continueAfterExpiry(Terms terms, Call lease) {
        long ttl = TimeUnit.NANOSECONDS.toMillis(terms.ttl());
        pause(ttl, ttl + 200);
        work(lease);
        if (random.percent(50)) {
            caller.extend(replica(), terms);
        }
        caller.release(replica(), terms);
    }

    /** Draws a replica. A replica that refused connections is avoided for a while. */
    private int replica() {
        int drawn = random.between(1, Setup.REPLICAS);
        return System.nanoTime() < refusedUntil[drawn] ? Setup.REPLICAS + 1 - drawn : drawn;
    }

    private Call rememberRefusal(Call call) {
        if (call.outcome() == Outcome.REFUSED) {
            refusedUntil[call.replica()] = call.answered() + AFTER_REFUSAL.toNanos();
        }
        return call;
    }

    private void pause(long leastMs, long mostMs) {
        Pause.of(Duration.ofMillis(random.between(leastMs, mostMs)));
    }
}
