package io.quorumlock.simulation;

/**
 * What is special in one world.
 *
 * @param isNew no replica was ever connected to the masters: a fleet is founded
 * @param clocksFail clocks of masters are set and creep; leases are long, and clients' clocks exact
 * @param ttlMaxChanges replicas start with different longest TTLs, as in a rolling change of the setting
 * @param clocksAgree the masters agree on the time of day
 * @param oneNamedTwice some replicas name one of five masters twice
 * @param timeIsUnknown no clock of a master tells the time of day, so that fencing tokens come from the counters alone; no
 *     master forgets
 */
record Conditions(
        boolean isNew,
        boolean clocksFail,
        boolean ttlMaxChanges,
        boolean clocksAgree,
        boolean oneNamedTwice,
        boolean timeIsUnknown) {
    static Conditions draw(Chance chance, boolean beyondTheModel) {
        if (beyondTheModel) {
            return new Conditions(false, false, false, chance.in(2), false, false);
        }
        boolean isNew = chance.in(8);
        return new Conditions(isNew, chance.in(3), chance.in(4), false, !isNew && chance.in(16), chance.in(6));
    }

    /** Returns whether all masters are set up to keep every write. */
    boolean nobodyForgets() {
        return isNew || timeIsUnknown;
    }

    /** Draws how fast a client's clock is: as wrong as it may be, in either direction. */
    double clientRate(Chance chance) {
        double error = clocksFail ? 0 : Scale.CLIENT_RATE_ERROR;
        return chance.in(2) ? 1 - error : chance.around(1, error);
    }
}
