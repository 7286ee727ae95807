// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import io.quorumlock.lock.Fleet;
import io.quorumlock.lock.MasterFailure;
import io.quorumlock.lock.MasterStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The store as one master, which votes while this replica has a connection to it. */
public final class StoreFleet implements Fleet {
    private static final String ALIAS = "node-1";

    private final String servers;
    private final BooleanSupplier ready;

    /** @param ready whether the store can be used; may be called from any thread */
    public StoreFleet(String servers, BooleanSupplier ready) {
        this.servers = servers;
        this.ready = ready;
    }

    @Override
    public List<MasterStatus> masters() {
        boolean up = ready.getAsBoolean();
        return List.of(new MasterStatus(
                ALIAS,
                servers,
                up,
                up ? Optional.empty() : Optional.of(MasterFailure.DISCONNECTED),
                up ? Optional.empty() : Optional.of("no connection"),
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
