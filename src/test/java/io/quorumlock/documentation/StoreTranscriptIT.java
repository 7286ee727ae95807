// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import io.quorumlock.testing.ServiceProcess;
import io.quorumlock.testing.TestStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The transcripts of README.md and docs/kinds.md on each store, where they differ by the number of votes only. */
@Tag("tools")
class StoreTranscriptIT {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void documentsShowRealAnswers(TestStore store) {
        try (ServiceProcess service = ServiceProcess.startReady(store.settings())) {
            List.of(Document.readme(), Document.docs("kinds.md"))
                    .forEach(document -> Transcript.of(document.blocks("console"))
                            .with("\"required\":3,\"total\":5", "\"required\":1,\"total\":1")
                            .at(service.uri())
                            .run(new Shell(folder, Map.of())));
        }
    }
}
