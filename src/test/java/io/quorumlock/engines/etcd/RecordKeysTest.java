// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordLayout;
import org.junit.jupiter.api.Test;

class RecordKeysTest {
    private final RecordKeys keys = new RecordKeys("/apps/locks");

    /** Another version would not find the keys: raise the version of the layout with each change here. */
    @Test
    void keysHaveTheLayoutOfTheRoot() {
        assertEquals("1", RecordLayout.VERSION);
        assertEquals("/apps/locks/", keys.layout().toStringUtf8());
        ResourceName name = new ResourceName("orders/\u00e4 42");
        assertEquals("/apps/locks/orders/\u00e4 42", keys.of(name).toStringUtf8());
    }
}
