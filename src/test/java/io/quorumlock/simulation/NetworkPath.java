// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.engines.masters.SimulatedFleet;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** The network path from one replica to one master, with one connection at a time. */
final class NetworkPath implements SimulatedFleet.Dialer {
    private final Replica replica;
    private final LossySignal signal;
    private final Master master;
    private final Network network;
    private DelayedConnection connection;
    private boolean closed;

    NetworkPath(Replica replica, LossySignal signal, Master master, Network network) {
        this.replica = replica;
        this.signal = signal;
        this.master = master;
        this.network = network;
    }

    boolean leadsTo(Master other) {
        return master == other;
    }

    /** A stopped process refuses at once. A suspended or disconnected host does not answer. */
    @Override
    public Future<SimulatedFleet.Opened> dial(Duration limit) {
        Promise<SimulatedFleet.Opened> opened = Promise.promise();
        EventQueue events = replica.events();
        if (network.reaches(replica, master)) {
            events.after(2 * network.delay(master), () -> answerHandshake(opened));
        } else if (master.isUp()) {
            replica.later(limit, () -> opened.tryFail(new TimeoutException("no answer to the handshake")));
        } else {
            events.after(network.delay(master), () -> fail(opened, "refused"));
        }
        return opened.future();
    }

    /** Answers the handshake. The connection can break before the answer arrives. */
    private void answerHandshake(Promise<SimulatedFleet.Opened> opened) {
        if (closed || !master.isUp()) {
            fail(opened, "closed");
            return;
        }
        DelayedConnection made = new DelayedConnection(replica, master, network, signal);
        connection = made;
        SimulatedFleet.Opened answer = new SimulatedFleet.Opened(made, master.server, made::closeLocally);
        replica.events().after(network.delay(master), () -> {
            if (made.isBroken()) {
                fail(opened, "closed");
            } else {
                replica.run(() -> {
                    signal.resubscribed(master);
                    opened.tryComplete(answer);
                });
            }
        });
    }

    /** Fails the connection, unless the replica has crashed. */
    private void fail(Promise<SimulatedFleet.Opened> opened, String why) {
        if (!closed) {
            replica.run(() -> opened.tryFail(new BrokenConnection(why)));
        }
    }

    /** Breaks the connection. Some commands in flight still arrive. */
    void breakConnection() {
        if (connection != null) {
            connection.breakConnection();
        }
    }

    /** Closes the path when its replica ends. */
    void close() {
        closed = true;
        breakConnection();
    }
}
