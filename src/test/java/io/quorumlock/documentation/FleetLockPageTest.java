// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.features.fleetlock.FleetLockProfile;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The transcript of docs/use/fleetlock.md, compared with the real output. */
@QuarkusTest
@TestProfile(FleetLockProfile.class)
class FleetLockPageTest {
    @TestHTTPResource
    URI service;

    @TempDir
    Path folder;

    @Test
    void pageShowsRealAnswers() {
        assumeTrue(Shell.has("curl"), "curl is not installed");
        Transcript page = Transcript.of(Document.docs("use/fleetlock.md").blocks("console"));
        assertEquals(5, page.steps().size());
        page.at(service).run(new Shell(folder, Map.of()));
    }
}
