// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A listener that notes what it hears of each master. */
public final class MasterLog implements ServerListener {
    public final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void answered(String master, String command, Duration elapsed) {
        lines.add(master + " " + command);
    }

    @Override
    public void failed(String master, ServerFailure reason) {
        lines.add(master + " " + reason.label());
    }

    @Override
    public void restarted(String master) {
        lines.add(master + " restarted");
    }
}
