// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.LocalService;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What only the JavaScript client does. */
@EnabledIf(value = "isInstalled", disabledReason = "Node is not installed")
@Tag("tools")
class JavaScriptIT {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final String CLIENT =
            Path.of("clients/javascript/quorumlock.mjs").toAbsolutePath().toString();

    private static LocalService service;

    static boolean isInstalled() {
        return ClientKind.JAVASCRIPT.isInstalled();
    }

    @BeforeAll
    static void start() {
        service = LocalService.start();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    /**
     * The timers of Node and its monotonic clock stand still while the machine is suspended. The wall clock goes on. The next
     * extension is due after ten seconds.
     */
    @Test
    void lossIsReportedSoonAfterSuspension() {
        Shell.Result ran = node(
                """
                const lease = await acquire('suspended', { ttl: 30_000, timeout: 20_000 }); // the service is cold
                const clock = Date.now;
                const resumed = performance.now();
                Date.now = () => clock() + 30_000;
                const running = setTimeout(() => {}, 30_000);
                await new Promise((resolve) => lease.signal.addEventListener('abort', resolve));
                console.log(Math.round(performance.now() - resumed));
                clearTimeout(running);
                """);
        int late = Integer.parseInt(ran.output().strip());
        assertTrue(late < 5_000, () -> "after " + late + " ms");
    }

    @Test
    void leaseThatIsNotExtendedEndsAfterItsTtl() {
        Shell.Result ran = node(
                """
                const lease = await acquire('short', { ttl: 1000, extend: false });
                const running = setTimeout(() => {}, 30_000);
                await new Promise((resolve) => lease.signal.addEventListener('abort', resolve));
                clearTimeout(running);
                console.log(lease.signal.reason.name, await lease.release());
                """);
        assertEquals("LeaseLostError false\n", ran.output());
    }

    @Test
    void unknownOptionsAreRefused() {
        Shell.Result ran = node(
                """
                await acquire('unknown', { ttlMs: 30_000 }).catch((error) => console.log(error.status, error.message));
                """);
        assertTrue(ran.output().startsWith("0 unknown option ttlMs; the options are urls, "), ran::output);
    }

    private static Shell.Result node(String script) {
        Map<String, String> settings = Map.of("QUORUMLOCK_URL", service.uri().toString());
        Shell.Result ran = new Shell(Path.of(""), settings)
                .run(
                        LONGEST,
                        "node",
                        "--input-type=module",
                        "-e",
                        "import { acquire } from '" + CLIENT + "';\n" + script);
        assertEquals(0, ran.status(), ran::output);
        return ran;
    }
}
