// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.LocalService;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The texts of {@code quorumlock run} for wrong use, and its help. */
@EnabledIf(value = "io.quorumlock.clients.ShellClient#isInstalled", disabledReason = "curl is not installed")
@Tag("nightly")
class ShellUsageIT {
    private static final int NOT_ACQUIRED = 75;
    private static final int USAGE = 64;
    private static LocalService service;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        service = LocalService.start();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run",
                "run --no-such-option x -- true",
                "run x",
                "run x --",
                "run --ttl soon x -- true",
                "run --ttl -1s x -- true",
                "run --ttl 61s x -- true",
                "run --url http://a:b@localhost x -- true",
                "run --url ftp://localhost x -- true",
                "run a//b -- true",
                "run a b//c -- true",
                "run a/extend -- true",
                "extend x",
                "nonsense"
            })
    void invalidUseIsExplainedInOneLine(String arguments) {
        Shell.Result ran = run(arguments.split(" "));
        assertEquals(USAGE, ran.status(), ran::output);
        assertEquals(1, ran.output().lines().count(), ran::output);
        assertTrue(ran.output().startsWith("quorumlock: "), ran::output);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "run x echo hi | write: quorumlock run 'x' -- echo hi;",
                "run x | write: quorumlock run 'x' -- COMMAND;",
                "run -- true | the name of the lock is missing; write: quorumlock run NAME -- COMMAND;",
                "run -- echo hi | the name of the lock is missing; write: quorumlock run NAME -- COMMAND;",
                "run --shared --slots 2 x -- true | --slots is not allowed with --shared;",
                "run --ttl 30 x -- true | --ttl must be a whole number with its unit, such as 500ms,",
                "run --shared=false x -- true | --shared has no value; leave it out",
                "run --ttl 61s x -- true | ttlMs must be",
                "get --url localhost:8080 x | the URL localhost:8080 has no http:// or https://; write http://localhost:8080;",
                "list x | write: quorumlock list --prefix 'x';",
                "extend x | set QUORUMLOCK_TOKEN to the token that acquire printed, or write --token-file FILE;",
                "nonsense | unknown command 'nonsense'; write run, acquire,"
            })
    void wrongUseSaysWhatToWrite(String arguments, String advice) {
        Shell.Result ran = run(arguments.split(" "));
        assertTrue(ran.output().contains(advice), ran::output);
    }

    @Test
    void refusedReleaseKeepsExitStatusOfCommand() {
        Shell.Result ran = run("run", "--keep", "61s", "kept", "--", "false");
        assertEquals(1, ran.status(), ran::output);
        assertTrue(ran.output().contains("refused: the release of kept: 400 "), ran::output);
    }

    @Test
    void nameWithCommaGetsHintUnlessOptionsHaveEnded() {
        Shell.Result ran = run("run", "a,b", "--", "true");
        assertEquals(0, ran.status(), ran::output);
        assertTrue(ran.output().startsWith("quorumlock: 'a,b' is one name; for several names, "), ran::output);
        assertEquals(new Shell.Result(0, ""), run("run", "--", "a,b", "--", "true"));
    }

    @Test
    void helpOfRunHasExamples() {
        Shell.Result ran = run("run", "--help");
        assertEquals(0, ran.status(), ran::output);
        assertTrue(ran.output().contains("\n  quorumlock run reports/daily -- "), ran::output);
    }

    @Test
    void unreachableServiceIsReportedInOneLine() {
        Shell.Result ran = run("run", "--url", "http://127.0.0.1:1", "x", "--", "echo", "ran");
        assertEquals(NOT_ACQUIRED, ran.status(), ran::output);
        assertEquals(1, ran.output().lines().count(), ran::output);
    }

    private Shell.Result run(String... arguments) {
        return new ShellClient(folder, service.uri()).run(arguments);
    }
}
