// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

/**
 * The special conditions of one world.
 *
 * @param isNew no replica has ever been connected to the masters, so they form a new fleet
 * @param clocksFail clocks of masters step and drift; leases are long, and clients' clocks exact
 * @param ttlMaxChanges replicas start with different longest TTLs, as in a rolling change of the setting
 * @param clocksAgree all masters have the same time of day
 * @param oneNamedTwice some replicas are configured with one of five masters twice
 * @param timeIsUnknown the time of day of no master is known, so fencing tokens come from the counters alone; no master
 * loses data
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

    /** Returns whether all masters are configured to persist every write. */
    boolean allMastersPersist() {
        return isNew || timeIsUnknown;
    }

    /** Draws the rate of a client's clock: often with the maximum error in either direction. */
    double clientRate(Chance chance) {
        double error = clocksFail ? 0 : Scale.CLIENT_RATE_ERROR;
        return chance.in(2) ? 1 - error : chance.around(1, error);
    }
}
