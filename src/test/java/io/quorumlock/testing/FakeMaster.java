// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.MasterFailure;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.LockMaster;
import io.quorumlock.redlock.LockMaster.ScanStep;
import io.quorumlock.redlock.MasterReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A master in memory on virtual time. It answers like the scripts and has configurable faults. */
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

    /** Large enough that resources of one test rarely share a counter. */
    private static final int COUNTERS = 1 << 16;

    private final String alias;
    private final VirtualTime time;
    private final Duration timeout;
    private final FakeStore store;
    private Duration latency = Duration.ZERO;
    private Fault fault = Fault.NONE;
    private int commands;
    private Optional<Duration> clockOffset = Optional.of(Duration.ZERO);
    private final List<Subscriber> subscribers = new ArrayList<>();

    public FakeMaster(String alias, VirtualTime time, Duration timeout, int extensionsMax) {
        this.alias = alias;
        this.time = time;
        this.timeout = timeout;
        this.store = new FakeStore(time, extensionsMax, COUNTERS);
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

    @Override
    public String alias() {
        return alias;
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
    public void extend(ResourceName resource, LeaseToken token, Duration ttl, Consumer<MasterReply> reply) {
        execute(() -> store.extend(resource, token, ttl), reply);
    }

    @Override
    public void raise(ResourceName resource, LeaseToken token, FencingToken fence, Consumer<MasterReply> reply) {
        execute(() -> store.raise(resource, token, fence), reply);
    }

    @Override
    public void release(DeleteCondition condition, Consumer<MasterReply> reply) {
        execute(
                () -> {
                    long fence = store.fenceOf(condition.resource());
                    MasterReply result = store.release(condition);
                    if (result instanceof MasterReply.Deleted && condition.isAnnounced()) {
                        announce(condition.resource(), fence);
                    }
                    return result;
                },
                reply);
    }

    /** An announcement takes as long as a reply. */
    private void announce(ResourceName resource, long fence) {
        List<Subscriber> subscribed = subscribers.stream()
                .filter(subscriber -> subscriber.isSubscribed(resource))
                .toList();
        for (Subscriber subscriber : subscribed) {
            time.after(latency.dividedBy(2), () -> subscriber.released(resource, fence, subscribed.size()));
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
            reply.accept(new MasterReply.Failed(MasterFailure.DISCONNECTED, false));
            return;
        }
        commands++;
        Once once = new Once(reply);
        Fault current = fault;
        time.after(timeout, () -> once.accept(new MasterReply.Failed(MasterFailure.TIMEOUT, true)));
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
