// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.testing.TestStore;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** Two versions on the same store. */
@Tag("nightly")
class MixedVersionsOnStoreIT extends MixedVersionsContract {
    @Override
    Map<String, String> environment() {
        Map<String, String> settings = new HashMap<>(TestStore.ZOOKEEPER.settings());
        settings.put("QUORUMLOCK_EXTENSIONS_MAX", "1000");
        return settings;
    }
}
