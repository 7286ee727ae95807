// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.lock.Announcements;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.redis.ScriptedStore;
import io.quorumlock.engines.redlock.AcquireCommand;
import io.quorumlock.engines.redlock.DeleteCondition;
import io.quorumlock.engines.redlock.LockMaster;
import io.quorumlock.engines.redlock.LockMaster.ScanStep;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.engines.redlock.RestoreCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A master in memory on virtual time. It runs the production scripts and has configurable faults. */
public final class FakeMaster implements LockMaster {

    /** The treatment of commands. */
    public enum Fault {
        NONE,
        /** Commands fail at once and are not sent, because there is no connection. */
        DOWN,
        /** Commands take effect, but their replies are lost. */
        MUTE,
        /** Commands neither take effect nor get a reply. */
        SILENT,
        /** The call itself throws an exception, as a bug would. */
        THROWS
    }

    private final VirtualTime time;
    private final Duration timeout;
    private final ScriptedStore store;
    private Duration latency = Duration.ZERO;
    private Fault fault = Fault.NONE;
    private int commands;
    private Optional<Duration> clockOffset = Optional.of(Duration.ZERO);
    private final List<Subscriber> subscribers = new ArrayList<>();

    public FakeMaster(VirtualTime time, Duration timeout, int extensionsMax) {
        this.time = time;
        this.timeout = timeout;
        this.store = new ScriptedStore(time, extensionsMax, new Announcements());
    }

    /** Sets the round-trip time of commands. They take effect after half of it. */
    public void answerAfter(Duration roundTrip) {
        latency = roundTrip;
    }

    /** A replica that can subscribe to the releases of locks. */
    public interface Subscriber {
        boolean isSubscribed(ResourceName resource);

        void released(ResourceName resource, long fence, int replicas);
    }

    Duration latency() {
        return latency;
    }

    /** Adds a subscriber to the deleted locks, except those of failed attempts. */
    public void announceTo(Subscriber subscriber) {
        subscribers.add(subscriber);
    }

    public void setFault(Fault next) {
        fault = next;
    }

    /** Loses all data, as a restart without persistence does. */
    public void forget() {
        store.clear();
    }

    public boolean holdsNothing() {
        return store.isEmpty();
    }

    /** Counts the commands that were sent to the master. */
    public int commands() {
        return commands;
    }

    /** Sets the wall clock. Expiry does not depend on it. */
    public void setClock(Duration ahead) {
        clockOffset = Optional.of(ahead);
    }

    /** Removes the reading of the wall clock, as before the first reading. */
    public void hideClock() {
        clockOffset = Optional.empty();
    }

    @Override
    public OptionalLong wallClock() {
        if (fault != Fault.NONE || clockOffset.isEmpty()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(
                time.wallClock().instant().plus(clockOffset.get()).toEpochMilli());
    }

    @Override
    public void acquire(AcquireCommand claim, Consumer<MasterReply> reply) {
        execute(() -> store.acquire(claim), reply);
    }

    @Override
    public void extend(ResourceNames resources, LeaseToken token, Duration ttl, Consumer<MasterReply> reply) {
        execute(() -> store.extend(resources, token, ttl), reply);
    }

    @Override
    public void raise(ResourceNames resources, LeaseToken token, FencingToken fence, Consumer<MasterReply> reply) {
        execute(() -> store.raise(resources, token, fence), reply);
    }

    @Override
    public void restore(RestoreCommand command, Optional<Duration> permission, Consumer<MasterReply> reply) {
        execute(() -> store.restore(command, permission), reply);
    }

    @Override
    public void release(DeleteCondition condition, Consumer<MasterReply> reply) {
        execute(() -> store.release(condition), reply);
    }

    /** Acquires like another Redlock client, which uses only {@code SET NX PX}. */
    public void acquirePlainly(ResourceName resource, String value, Duration ttl, Consumer<MasterReply> reply) {
        execute(
                () -> store.acquireForeign(resource, value, ttl)
                        ? new MasterReply.Granted(new FencingToken(1))
                        : new MasterReply.HeldByAnother(0),
                reply);
    }

    /** Releases like another Redlock client. */
    public void deletePlainly(ResourceName resource, String value) {
        execute(
                () -> {
                    store.deleteForeign(resource, value);
                    return new MasterReply.Deleted();
                },
                ignored -> {});
    }

    /** The announcements of releases. They take as long as a reply. */
    private final class Announcements implements ScriptedStore.Waiting {
        @Override
        public int subscribers(ResourceName resource) {
            return (int) subscribers.stream()
                    .filter(subscriber -> subscriber.isSubscribed(resource))
                    .count();
        }

        @Override
        public void released(ResourceName resource, long fence, int replicas) {
            List<Subscriber> subscribed = subscribers.stream()
                    .filter(subscriber -> subscriber.isSubscribed(resource))
                    .toList();
            for (Subscriber subscriber : subscribed) {
                time.after(latency.dividedBy(2), () -> subscriber.released(resource, fence, replicas));
            }
        }
    }

    @Override
    public void inspect(ResourceName resource, Consumer<MasterReply> reply) {
        execute(() -> store.inspect(resource), reply);
    }

    @Override
    public void scan(ScanStep step, Consumer<MasterReply> reply) {
        execute(() -> store.scan(step), reply);
    }

    private void execute(Supplier<MasterReply> command, Consumer<MasterReply> reply) {
        if (fault == Fault.THROWS) {
            throw new IllegalStateException("a bug");
        }
        if (fault == Fault.DOWN) {
            reply.accept(new MasterReply.Failed(ServerFailure.DISCONNECTED, false));
            return;
        }
        commands++;
        Once once = new Once(reply);
        Fault current = fault;
        time.after(timeout, () -> once.accept(new MasterReply.Failed(ServerFailure.TIMEOUT, true)));
        if (current == Fault.SILENT) {
            return;
        }
        Duration half = latency.dividedBy(2);
        time.after(half, () -> {
            MasterReply answer = command.get();
            if (current != Fault.MUTE) {
                time.after(half, () -> once.accept(answer));
            }
        });
    }

    /** A reply handler that accepts only the first of reply and timeout. */
    private static final class Once {
        private final Consumer<MasterReply> reply;
        private boolean done;

        Once(Consumer<MasterReply> reply) {
            this.reply = reply;
        }

        void accept(MasterReply answer) {
            if (!done) {
                done = true;
                reply.accept(answer);
            }
        }
    }
}
