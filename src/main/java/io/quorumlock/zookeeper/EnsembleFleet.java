// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.zookeeper;

import io.quorumlock.lock.Fleet;
import io.quorumlock.lock.MasterFailure;
import io.quorumlock.lock.MasterStatus;
import java.util.List;
import java.util.Optional;

/** The ensemble as one master, which votes while this replica has a session. */
public final class EnsembleFleet implements Fleet {
    private static final String ALIAS = "node-1";

    private final ZooKeeperStore store;

    public EnsembleFleet(ZooKeeperStore store) {
        this.store = store;
    }

    @Override
    public List<MasterStatus> masters() {
        boolean up = store.isReady();
        return List.of(new MasterStatus(
                ALIAS,
                store.servers(),
                up,
                up ? Optional.empty() : Optional.of(MasterFailure.DISCONNECTED),
                up ? Optional.empty() : Optional.of("no session with the ensemble"),
                Optional.empty(),
                0,
                Optional.empty(),
                Optional.empty()));
    }

    @Override
    public int quorum() {
        return 1;
    }
}
