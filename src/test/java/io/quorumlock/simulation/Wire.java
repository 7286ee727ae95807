package io.quorumlock.simulation;

import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redlock.Claim;
import io.quorumlock.redlock.LockNode;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.redlock.ScanStep;
import io.quorumlock.redlock.Stake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Is the way from one replica to one node: one connection at a time, on which commands and answers keep their order. After a
 * break some commands in flight still arrive, and those of the next connection may overtake them.
 */
final class Wire implements LockNode {
    private static final long LONGEST_SILENCE = Scale.millis(1_000);

    private final Replica replica;
    private final Master master;
    private final Weather weather;
    private final List<Command> inFlight = new ArrayList<>();
    /** Stays empty unless commands are sent again, which breaks R8. */
    private final List<Command> unanswered = new ArrayList<>();

    private final ClockWatch watch;
    private boolean connected;
    private boolean closed;
    private long lastArrival;
    private long lastAnswer;
    private long heard;
    private int run;

    Wire(Replica replica, Master master, Weather weather) {
        this.replica = replica;
        this.master = master;
        this.weather = weather;
        this.watch = new ClockWatch(replica, master);
        if (replica.world().isBeyondTheModel()) {
            watch.beatLater(this::beat);
        }
        if (weather.reaches(replica, master)) {
            join();
        } else {
            connectLater();
        }
    }

    @Override
    public String alias() {
        return "node-" + master.number;
    }

    @Override
    public OptionalLong wallClock() {
        return connected ? OptionalLong.of(master.wallClock(replica.agenda().now())) : OptionalLong.empty();
    }

    @Override
    public void acquire(Claim claim, Consumer<NodeReply> reply) {
        if (connected) {
            replica.world().underWay(claim.token(), 1);
        }
        send(
                () -> "acquire " + claim.resource() + " " + claim.token().text() + " " + claim.attempt(),
                node -> {
                    replica.world().underWay(claim.token(), -1);
                    return node.vote(() -> node.acquire(claim));
                },
                reply);
    }

    @Override
    public void extend(ResourceName resource, LeaseToken token, Duration ttl, Consumer<NodeReply> reply) {
        send(
                () -> "extend " + resource + " " + token.text(),
                node -> node.vote(() -> node.store.extend(resource, token, ttl)),
                reply);
    }

    @Override
    public void raise(Stake stake, FencingToken fence, Consumer<NodeReply> reply) {
        send(
                () -> "raise " + stake.resource() + " " + stake.token().text() + " to " + fence.number(),
                node -> node.vote(() -> node.store.raise(stake, fence)),
                reply);
    }

    @Override
    public void release(Stake stake, Consumer<NodeReply> reply) {
        send(
                () -> "release " + stake.resource() + " " + stake.token().text() + " "
                        + stake.attempt().orElse("all"),
                node -> released(node, stake),
                reply);
    }

    @Override
    public void inspect(ResourceName resource, Consumer<NodeReply> reply) {
        send(() -> "inspect " + resource, node -> node.vote(() -> node.store.inspect(resource)), reply);
    }

    @Override
    public void scan(ScanStep step, Consumer<NodeReply> reply) {
        send(() -> "scan", node -> node.vote(() -> node.store.scan(step)), reply);
    }

    private NodeReply released(Master node, Stake stake) {
        NodeReply answer = node.store.release(stake);
        if (answer instanceof NodeReply.Deleted && stake.isAnnounced()) {
            int told = replica.world().announce(node, stake.resource(), stake.end() == Stake.End.PASSED_ON);
            return new NodeReply.Deleted(told > 1);
        }
        return answer;
    }

    boolean leadsTo(Master other) {
        return master == other;
    }

    /** Ends the connection: the first so many commands in flight arrive all the same, the others never. */
    void snap() {
        if (!connected) {
            return;
        }
        connected = false;
        int arriving = weather.survivors(inFlight.size());
        for (int i = 0; i < inFlight.size(); i++) {
            inFlight.get(i).lost = !master.isUp() || i >= arriving;
        }
        List<Command> open = List.copyOf(inFlight);
        inFlight.clear();
        if (replica.resends()) {
            unanswered.addAll(open);
        } else {
            open.forEach(command -> replica.run(() -> command.settle(failed(NodeFailure.DISCONNECTED, true))));
        }
        lastArrival = 0;
        lastAnswer = 0;
        connectLater();
    }

    /** Ends with its replica. */
    void close() {
        closed = true;
        snap();
    }

    private void send(Supplier<String> what, Function<Master, NodeReply> work, Consumer<NodeReply> reply) {
        if (!connected) {
            reply.accept(failed(NodeFailure.DISCONNECTED, false));
            return;
        }
        Command command = new Command(what, work, reply, run);
        transmit(command);
        replica.later(Scale.NODE_TIMEOUT, () -> timeOut(command));
    }

    private void transmit(Command command) {
        Agenda agenda = replica.agenda();
        if (inFlight.isEmpty()) {
            heard = agenda.now();
        }
        inFlight.add(command);
        lastArrival = Math.max(lastArrival, agenda.now() + weather.delay(master));
        agenda.at(lastArrival, () -> arrive(command));
    }

    private void timeOut(Command command) {
        command.settle(failed(NodeFailure.TIMEOUT, true));
        if (inFlight.contains(command) && replica.agenda().now() - heard > LONGEST_SILENCE) {
            snap();
        }
    }

    private void arrive(Command command) {
        Agenda agenda = replica.agenda();
        if (command.lost || !master.isUp()) {
            return;
        }
        if (command.run != master.run()) {
            snap(); // the restarted server knows nothing of the old connection, and says so
            return;
        }
        long held = Math.max(master.hungUntil(), weather.cutUntil(replica, master, true));
        if (held > agenda.now()) {
            agenda.at(held, () -> arrive(command));
            return;
        }
        NodeReply answer = command.work.apply(master);
        replica.tell(() ->
                "    " + alias() + " did for replica-" + replica.number + " " + command.what.get() + ": " + answer);
        if (!connected || !inFlight.contains(command)) {
            return;
        }
        if (weather.snapsAfterEffect()) {
            snap();
        } else {
            long free = Math.max(agenda.now(), weather.cutUntil(replica, master, false));
            lastAnswer = Math.max(lastAnswer, free + weather.delay(master));
            agenda.at(lastAnswer, () -> hear(command, answer));
        }
    }

    private void hear(Command command, NodeReply answer) {
        if (connected && inFlight.remove(command)) {
            heard = replica.agenda().now();
            replica.run(() -> command.settle(answer));
        }
    }

    private void beat() {
        World world = replica.world();
        if (closed || world.isAtRest()) {
            return;
        }
        if (connected && weather.reaches(replica, master) && watch.sawStep()) {
            world.sawStep();
            master.doubt();
            replica.tell(
                    () -> "replica-" + replica.number + " saw that the clock of node-" + master.number + " was set");
        }
        watch.beatLater(this::beat);
    }

    private void join() {
        watch.reset();
        if (run != master.run()) {
            replica.world().sawRestart();
        }
        master.admit();
        run = master.run();
        connected = true;
        replica.signal().listensAgain(master);
        unanswered.forEach(command -> transmit(new Command(command.what, command.work, command::settle, run)));
        unanswered.clear();
    }

    private void connectLater() {
        if (!closed) {
            replica.agenda().after(weather.reconnectDelay(), this::connect);
        }
    }

    private void connect() {
        if (closed) {
            return;
        }
        if (weather.reaches(replica, master)) {
            join();
        } else {
            connectLater();
        }
    }

    private static NodeReply failed(NodeFailure reason, boolean sent) {
        return new NodeReply.Failed(reason, sent);
    }

    /** Is a command under way; it is answered once. */
    private static final class Command {
        private final Supplier<String> what;
        private final Function<Master, NodeReply> work;
        private final Consumer<NodeReply> reply;
        private final int run;
        private boolean settled;
        private boolean lost;

        Command(Supplier<String> what, Function<Master, NodeReply> work, Consumer<NodeReply> reply, int run) {
            this.what = what;
            this.run = run;
            this.work = work;
            this.reply = reply;
        }

        void settle(NodeReply answer) {
            if (!settled) {
                settled = true;
                reply.accept(answer);
            }
        }
    }
}
