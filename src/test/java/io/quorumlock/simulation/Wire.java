package io.quorumlock.simulation;

import io.quorumlock.redis.SimulatedFleet;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** The way from one replica to one master, with one connection at a time. */
final class Wire implements SimulatedFleet.Dialer {
    private final Replica replica;
    private final Master master;
    private final Weather weather;
    private WireConnection connection;
    private boolean closed;

    Wire(Replica replica, Master master, Weather weather) {
        this.replica = replica;
        this.master = master;
        this.weather = weather;
    }

    boolean leadsTo(Master other) {
        return master == other;
    }

    /** A process that is down refuses at once; a host that hangs or is cut off says nothing. */
    @Override
    public Future<SimulatedFleet.Opened> dial(Duration limit) {
        Promise<SimulatedFleet.Opened> opened = Promise.promise();
        Agenda agenda = replica.agenda();
        if (weather.reaches(replica, master)) {
            agenda.after(2 * weather.delay(master), () -> greet(opened));
        } else if (master.isUp()) {
            replica.later(limit, () -> opened.tryFail(new TimeoutException("no answer to the handshake")));
        } else {
            agenda.after(weather.delay(master), () -> fail(opened, "refused"));
        }
        return opened.future();
    }

    /** The server introduces itself; its answer is under way when the connection may break. */
    private void greet(Promise<SimulatedFleet.Opened> opened) {
        if (closed || !master.isUp()) {
            fail(opened, "closed");
            return;
        }
        WireConnection made = new WireConnection(replica, master, weather);
        connection = made;
        SimulatedFleet.Opened answer = new SimulatedFleet.Opened(made, master.server, made::hangUp);
        replica.agenda().after(weather.delay(master), () -> {
            if (made.isBroken()) {
                fail(opened, "closed");
            } else {
                replica.run(() -> {
                    replica.signal.listensAgain(master);
                    opened.tryComplete(answer);
                });
            }
        });
    }

    /** A replica that crashed hears of nothing any more, its next life included. */
    private void fail(Promise<SimulatedFleet.Opened> opened, String why) {
        if (!closed) {
            replica.run(() -> opened.tryFail(new BrokenConnection(why)));
        }
    }

    /** Ends the connection: the first so many commands in flight arrive all the same, the others never. */
    void snap() {
        if (connection != null) {
            connection.snap();
        }
    }

    /** Ends with its replica. */
    void close() {
        closed = true;
        snap();
    }
}
