// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.redis.SimulatedConnection;
import io.quorumlock.redis.SimulatedServer;
import io.vertx.core.Promise;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection with network delays that keeps the order of commands and replies. After a break, some commands in flight
 * still arrive, possibly after those of the next connection.
 */
final class WireConnection extends SimulatedConnection {
    private final Replica replica;
    private final Master master;
    private final Weather weather;
    private final int run;
    private final List<Parcel> inFlight = new ArrayList<>();
    private boolean broken;
    private long lastArrival;
    private long lastAnswer;

    WireConnection(Replica replica, Master master, Weather weather) {
        this.replica = replica;
        this.master = master;
        this.weather = weather;
        this.run = master.run();
    }

    boolean isBroken() {
        return broken;
    }

    @Override
    protected void transmit(List<Request> requests, Promise<List<Response>> promise) {
        Parcel parcel = new Parcel(requests, promise);
        if (broken) {
            fail(parcel);
            return;
        }
        inFlight.add(parcel);
        lastArrival = Math.max(lastArrival, replica.agenda().now() + weather.delay(master));
        replica.agenda().at(lastArrival, () -> arrive(parcel));
    }

    private void arrive(Parcel parcel) {
        Agenda agenda = replica.agenda();
        if (parcel.arriving == 0 || !master.isUp()) {
            return;
        }
        if (run != master.run()) {
            breakConnection(); // the restarted server resets the old connection
            return;
        }
        long held = Math.max(master.hungUntil(), weather.cutUntil(replica, master, true));
        if (held > agenda.now()) {
            agenda.at(held, () -> arrive(parcel));
            return;
        }
        if (SimulatedServer.isClockDoubted(parcel.requests.get(0))
                && replica.world().faults.breaksQuarantine()) {
            breakConnection();
            return;
        }
        List<Response> responses = parcel.executeOn(master);
        if (replica.world().story.isWanted()) {
            logCommands(parcel);
        }
        if (broken) {
            return;
        }
        if (weather.breaksAfterEffect()) {
            breakConnection();
            return;
        }
        long free = Math.max(agenda.now(), weather.cutUntil(replica, master, false));
        lastAnswer = Math.max(lastAnswer, free + weather.delay(master));
        agenda.at(lastAnswer, () -> deliver(parcel, responses));
    }

    private void logCommands(Parcel parcel) {
        for (int i = 0; i < parcel.responses.size(); i++) {
            String shown = SimulatedServer.show(parcel.requests.get(i)) + ": " + parcel.responses.get(i);
            replica.log(() -> "    node-" + master.number + " executed for replica-" + replica.number + " " + shown);
        }
    }

    private void deliver(Parcel parcel, List<Response> responses) {
        if (!broken && inFlight.remove(parcel)) {
            replica.run(() -> settle(parcel.promise, responses));
        }
    }

    /** Breaks the connection, as the network or the server would. */
    void breakConnection() {
        if (!broken) {
            failInFlight();
            replica.agenda().after(0, () -> replica.run(this::end));
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
        int open = inFlight.stream().mapToInt(Parcel::commandsInFlight).sum();
        int left = master.isUp() ? weather.survivors(open) : 0;
        for (Parcel parcel : inFlight) {
            parcel.arriving = Math.min(parcel.commandsInFlight(), left);
            left -= parcel.arriving;
        }
        inFlight.forEach(this::fail);
        inFlight.clear();
    }

    private void fail(Parcel parcel) {
        replica.agenda().after(0, () -> replica.run(() -> parcel.promise.tryFail(new BrokenConnection("closed"))));
    }

    /** A batch of commands with its replies. */
    static final class Parcel {
        private final List<Request> requests;
        private final Promise<List<Response>> promise;
        private List<Response> responses = List.of();
        /** The number of commands that will arrive. The connection can break between two of them. */
        private int arriving;

        Parcel(List<Request> requests, Promise<List<Response>> promise) {
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
