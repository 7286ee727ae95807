// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.engines.masters.RestartGuard.AdmissionResult;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R9: what the masters of a fleet of three reported. */
@Proves("R9")
class FleetViewTest {
    private final FleetView view = new FleetView(3);

    @Test
    void foundsFleetWhenAllMastersReportedTheirQuarantineTwice() {
        report("node-1", "a");
        report("node-2", "b");
        assertTrue(report("node-3", "c"), "check again");
        report("node-1", "a");
        report("node-2", "b");
        assertEquals("", view.founded("node-1"));
        assertTrue(report("node-3", "c"), "check again");
        assertEquals("a", view.founded("node-1"));
        assertEquals("c", view.founded("node-3"));
    }

    /** A majority is not enough: the lease of a master that lost its data can depend on the others. */
    @Test
    void foundsNoFleetWithoutOneMaster() {
        for (int i = 0; i < 3; i++) {
            report("node-1", "a");
            report("node-2", "b");
        }
        assertEquals("", view.founded("node-1"));
    }

    /** Master 1 may have voted between its report and that of master 3. */
    @Test
    void foundsNoFleetWithReportsFromBeforeTheLastMaster() {
        report("node-1", "a");
        report("node-2", "b");
        int early = view.round();
        report("node-3", "c");
        report("node-2", "b");
        report("node-3", "c");
        assertFalse(view.decided("node-1", admitted("a"), early));
        assertEquals("", view.founded("node-3"));
    }

    @Test
    void foundsNoFleetWhenMasterVotesMeanwhile() {
        report("node-1", "a");
        report("node-2", "b");
        report("node-3", "c");
        report("node-1", "");
        report("node-2", "b");
        report("node-3", "c");
        assertEquals("", view.founded("node-3"));
    }

    @Test
    void foundsNoFleetWhenMasterDisconnectsMeanwhile() {
        report("node-1", "a");
        report("node-2", "b");
        report("node-3", "c");
        view.disconnected("node-1");
        report("node-2", "b");
        report("node-3", "c");
        assertFalse(view.areAllNew());
        assertEquals("", view.founded("node-3"));
    }

    @Test
    void waitsForMajority() {
        List<String> done = new ArrayList<>();
        view.connected("node-1", Duration.ofSeconds(2));
        view.whenInformed("node-1", () -> done.add("node-1"));
        assertEquals(List.of(), done);
        view.connected("node-2", Duration.ofSeconds(1));
        view.whenInformed("node-2", () -> done.add("node-2"));
        assertEquals(List.of("node-1", "node-2"), done);
        assertEquals(Duration.ofSeconds(2), view.longest());
    }

    @Test
    void remembersOtherListUntilMasterAccepts() {
        view.decided("node-1", new AdmissionResult.OtherList("other:6379"), 0);
        view.disconnected("node-1");
        assertTrue(view.isOtherListInUse());
        report("node-1", "");
        assertFalse(view.isOtherListInUse());
    }

    private boolean report(String alias, String newMaster) {
        return view.decided(alias, admitted(newMaster), view.round());
    }

    private static AdmissionResult admitted(String newMaster) {
        return new AdmissionResult.Admitted(Duration.ZERO, Duration.ofSeconds(1), newMaster, Optional.empty());
    }
}
