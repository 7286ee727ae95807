// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quarkus.runtime.QuarkusApplication;
import io.quorumlock.core.fleet.Fleet;
import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerStatus;
import io.quorumlock.settings.EngineKind;
import java.time.Duration;
import java.util.List;

/**
 * The command {@code --check}: the service starts without a port and without a write to the masters, prints which of them
 * vote, and ends.
 */
public final class FleetReport implements QuarkusApplication {
    private final Engine engine;
    private final CheckedSettings settings;

    FleetReport(Engine engine, CheckedSettings settings) {
        this.engine = engine;
        this.settings = settings;
    }

    /** Returns the exit status: 0 if none is refused, and a majority votes now or after its quarantine, which a new fleet has too. */
    @Override
    public int run(String... arguments) {
        settings.unusedTrial().ifPresent(System.out::println);
        Fleet fleet = engine.backend.fleet();
        List<ServerStatus> masters = fleet.servers();
        masters.forEach(master -> System.out.println(line(master)));
        long later = masters.stream()
                .filter(master -> master.quarantine().isPresent())
                .count();
        System.out.printf(
                "%d of %d %s%s, %d are required%n",
                fleet.up(),
                masters.size(),
                EngineKind.of(settings.config) == EngineKind.REDLOCK ? "masters vote" : "servers are up",
                later > 0 ? ", and " + later + " would vote after their quarantine" : "",
                fleet.quorum());
        boolean available = later > 0 ? fleet.up() + later >= fleet.quorum() : fleet.hasQuorum();
        if (!available) {
            engine.backend.connections().problem().ifPresent(System.out::println);
        }
        boolean refused = masters.stream().anyMatch(master -> master.has(ServerFailure.REFUSED));
        return available && !refused ? 0 : 1;
    }

    private static String line(ServerStatus master) {
        String start = master.alias() + " (" + master.address() + "): ";
        if (master.up()) {
            return start + master.role().orElse("votes");
        }
        String problem = master.problem().orElseThrow().label();
        String end = master.quarantine()
                .map(Duration::toSeconds)
                .map(" for %d s"::formatted)
                .orElse("");
        return start + problem + end + master.detail().map(" (%s)"::formatted).orElse("");
    }
}
