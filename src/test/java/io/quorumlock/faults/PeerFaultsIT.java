// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The faults of {@link RandomFaultsIT} and {@link StoreFaultsIT} while clients of another lock library work. It only
 * records their calls. {@code verification/peers/run} sets the program of the clients, {@code peer}, and judges.
 */
@Isolated
@Tag("nightly")
class PeerFaultsIT {
    private static final String PROGRAM = System.getProperty("peer", "");

    @BeforeEach
    void needsPeer() {
        assumeFalse(PROGRAM.isBlank(), "no peer: use verification/peers/run");
    }

    @Test
    void peersOnRedis() {
        RunOptions order = RunOptions.read("PeerFaultsIT#peersOnRedis");
        new FaultRun(order, () -> new Masters(new SteppedClocks(order.folder().resolve("clock"))))
                .runPeer(List.of(PROGRAM.split(" ")));
    }

    @Test
    void peersOnEtcd() {
        RunOptions order = RunOptions.read("PeerFaultsIT#peersOnEtcd");
        new FaultRun(order, Members::ofEtcd).runPeer(List.of(PROGRAM.split(" ")));
    }
}
