// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.engines.redis.SimulatedConnection;
import io.quorumlock.engines.redis.SimulatedServer;
import io.vertx.core.Promise;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection with network delays that keeps the order of commands and replies. After a break, some commands in flight
 * still arrive, possibly after those of the next connection.
 */
final class DelayedConnection extends SimulatedConnection {
    private final Replica replica;
    private final Master master;
    private final Network network;
    private final LossySignal signal;
    private final int run;
    private final List<CommandBatch> inFlight = new ArrayList<>();
    private boolean broken;
    private long lastArrival;
    private long lastAnswer;

    /** @param signal told when the connection ends, because the announcements end with it */
    DelayedConnection(Replica replica, Master master, Network network, LossySignal signal) {
        this.replica = replica;
        this.master = master;
        this.network = network;
        this.signal = signal;
        this.run = master.run();
    }

    boolean isBroken() {
        return broken;
    }

    @Override
    protected void transmit(List<Request> requests, Promise<List<Response>> promise) {
        CommandBatch batch = new CommandBatch(requests, promise);
        if (broken) {
            fail(batch);
            return;
        }
        inFlight.add(batch);
        lastArrival = Math.max(lastArrival, replica.events().now() + network.delay(master));
        replica.events().at(lastArrival, () -> arrive(batch));
    }

    private void arrive(CommandBatch batch) {
        EventQueue events = replica.events();
        if (batch.arriving == 0 || !master.isUp()) {
            return;
        }
        if (run != master.run()) {
            breakConnection(); // the restarted server resets the old connection
            return;
        }
        long held = Math.max(master.hangsUntil(), network.cutUntil(replica, master, true));
        if (held > events.now()) {
            events.at(held, () -> arrive(batch));
            return;
        }
        if (SimulatedServer.isClockDoubted(batch.requests.get(0))
                && replica.cluster().faults.breaksQuarantine()) {
            breakConnection();
            return;
        }
        List<Response> responses = batch.executeOn(master);
        if (replica.cluster().log.isWanted()) {
            logCommands(batch);
        }
        if (broken) {
            return;
        }
        if (network.breaksAfterEffect()) {
            breakConnection();
            return;
        }
        long free = Math.max(events.now(), network.cutUntil(replica, master, false));
        lastAnswer = Math.max(lastAnswer, free + network.delay(master));
        events.at(lastAnswer, () -> deliver(batch, responses));
    }

    private void logCommands(CommandBatch batch) {
        for (int i = 0; i < batch.responses.size(); i++) {
            String shown = SimulatedServer.show(batch.requests.get(i)) + ": " + batch.responses.get(i);
            replica.log(() -> "    node-" + master.number + " executed for replica-" + replica.number + " " + shown);
        }
    }

    private void deliver(CommandBatch batch, List<Response> responses) {
        if (!broken && inFlight.remove(batch)) {
            replica.run(() -> settle(batch.promise, responses));
        }
    }

    /** Breaks the connection, as the network or the server would. */
    void breakConnection() {
        if (!broken) {
            failInFlight();
            replica.events().after(0, () -> replica.run(this::end));
        }
    }

    /** Closes the connection at the replica. */
    void closeLocally() {
        if (!broken) {
            failInFlight();
        }
    }

    private void failInFlight() {
        broken = true;
        replica.events().after(0, () -> replica.run(() -> signal.lost(master)));
        int open = inFlight.stream().mapToInt(CommandBatch::commandsInFlight).sum();
        int left = master.isUp() ? network.survivors(open) : 0;
        for (CommandBatch batch : inFlight) {
            batch.arriving = Math.min(batch.commandsInFlight(), left);
            left -= batch.arriving;
        }
        inFlight.forEach(this::fail);
        inFlight.clear();
    }

    private void fail(CommandBatch batch) {
        replica.events().after(0, () -> replica.run(() -> batch.promise.tryFail(new BrokenConnection("closed"))));
    }

    /** A batch of commands with its replies. */
    static final class CommandBatch {
        private final List<Request> requests;
        private final Promise<List<Response>> promise;
        private List<Response> responses = List.of();
        /** The number of commands that will arrive. The connection can break between two of them. */
        private int arriving;

        CommandBatch(List<Request> requests, Promise<List<Response>> promise) {
            this.requests = requests;
            this.promise = promise;
            this.arriving = requests.size();
        }

        private int commandsInFlight() {
            return responses.isEmpty() ? arriving : 0;
        }

        private List<Response> executeOn(Master master) {
            responses = new ArrayList<>(arriving);
            for (Request request : requests.subList(0, arriving)) {
                responses.add(master.server.answer(request));
            }
            return responses;
        }
    }
}
