// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import io.quarkus.runtime.QuarkusApplication;
import io.quorumlock.lock.Fleet;
import io.quorumlock.lock.MasterStatus;
import java.time.Duration;

/** The command {@code --check}: the service starts without a port, prints which masters vote, and ends. */
public final class FleetReport implements QuarkusApplication {
    private final Fleet fleet;

    FleetReport(Fleet fleet) {
        this.fleet = fleet;
    }

    /** Returns the exit status: 0 if a majority votes. */
    @Override
    public int run(String... arguments) {
        fleet.masters().forEach(master -> System.out.println(line(master)));
        System.out.printf(
                "%d of %d masters vote, %d are required%n",
                fleet.up(), fleet.masters().size(), fleet.quorum());
        return fleet.hasQuorum() ? 0 : 1;
    }

    private static String line(MasterStatus master) {
        if (master.up()) {
            return master.alias() + ": votes";
        }
        String problem = master.problem().orElseThrow().label();
        String end = master.quarantine()
                .map(Duration::toSeconds)
                .map(" for %d s"::formatted)
                .orElse("");
        return master.alias() + ": " + problem + end
                + master.detail().map(" (%s)"::formatted).orElse("");
    }
}
