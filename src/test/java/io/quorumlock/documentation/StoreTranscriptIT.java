// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.TestStore;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The transcript of README.md on each store, where it differs by the number of votes only. */
@Tag("tools")
class StoreTranscriptIT {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void readmeShowsRealAnswers(TestStore store) {
        try (ServiceProcess service = ServiceProcess.startReady(store.settings())) {
            Transcript.of(Document.readme().blocks("console"))
                    .with("\"required\":3,\"total\":5", "\"required\":1,\"total\":1")
                    .at(service.uri())
                    .run(new Shell(folder, Map.of()));
        }
    }
}
