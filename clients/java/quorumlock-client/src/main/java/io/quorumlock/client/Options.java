// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** The options of a lease. Without a call, each has its default. */
public final class Options {
    Duration ttl = Duration.ofSeconds(30);
    Duration maxWait = Duration.ZERO;
    Duration keep = Duration.ZERO;
    BooleanSupplier extended = () -> true;
    boolean shared;
    Integer slots; // or null
    String owner = Text.hostName();
    Duration margin;

    /** Sets the duration of the lease unless it is extended. The default is 30 s. */
    public Options ttl(Duration ttl) {
        this.ttl = Checks.given("ttl", ttl);
        return this;
    }

    /** Sets the longest wait if another client holds the lock. The default is 0: the call fails at once. */
    public Options maxWait(Duration wait) {
        this.maxWait = Checks.given("maxWait", wait);
        return this;
    }

    /**
     * Sets the time for which nobody gets the lock after the release of a lease that was not lost. The service
     * limits it. The default is 0.
     */
    public Options keep(Duration keep) {
        this.keep = Checks.given("keep", keep);
        return this;
    }

    /** Lets the lease end after its TTL: only {@link Lease#extend} extends it. By default, the client does. */
    public Options fixed() {
        this.extended = () -> false;
        return this;
    }

    /** Lets the client extend the lease only while a thread lives, so that its TTL ends a lease that nobody can release. */
    public Options whileAlive(Thread holder) {
        this.extended = Checks.given("holder", holder)::isAlive;
        return this;
    }

    /** Lets other clients share the lock, of one name. A client that does not share it holds it alone. */
    public Options shared() {
        this.shared = true;
        return this;
    }

    /** Sets the number of clients, 1 to 64, that may hold the lock, of one name. All of them give the same number. */
    public Options slots(int number) {
        this.slots = number;
        return this;
    }

    /** Sets the label that is shown to other clients. The default is the name of the host. */
    public Options owner(String owner) {
        this.owner = Checks.given("owner", owner);
        return this;
    }

    /** Sets the time between the report of a loss and the end of the lease. The default is a sixth of the TTL. */
    public Options margin(Duration margin) {
        this.margin = Checks.given("margin", margin);
        return this;
    }
}
