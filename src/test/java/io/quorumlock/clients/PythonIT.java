// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.documentation.Shell;
import io.quorumlock.testing.LocalService;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What only the Python client does. */
@EnabledIf(value = "isInstalled", disabledReason = "Python is not installed")
@Tag("tools")
class PythonIT {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private static LocalService service;

    static boolean isInstalled() {
        return ClientKind.PYTHON.isInstalled();
    }

    @BeforeAll
    static void start() {
        service = LocalService.start();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void decoratedFunctionHoldsTheLockDuringEachCall() {
        assertEquals(
                "held by one, held by two, then free\n",
                python(
                        """
                        client = Client(URL)

                        def holder():
                            try:
                                with Lock(URL, "decorated"):
                                    return "free"
                            except LockHeld as held:
                                return "held by " + held.owner

                        @client.lock("decorated", owner="one")
                        def one(text):
                            return text + holder()

                        @client.lock("decorated", owner="two")
                        async def two(text):
                            return text + await asyncio.to_thread(holder)

                        print(one(""), asyncio.run(two("")), "then " + holder(), sep=", ")
                        """));
    }

    @Test
    void saysThatTtlIsInSeconds() {
        String refused = python(
                """
                try:
                    Lock(URL, "seconds", ttl=30_000).acquire()
                except Refused as refused:
                    print(refused)
                """);
        assertTrue(refused.endsWith("The ttl of this client is in seconds.\n"), refused);
    }

    /** The lease would end before the first item. */
    @Test
    void generatorsAreNotDecorated() {
        assertEquals(
                "a lock cannot decorate a generator; write `with` inside of it\n",
                python(
                        """
                        def items():
                            yield 1

                        try:
                            Client().lock("items")(items)
                        except Refused as refused:
                            print(refused)
                        """));
    }

    @Test
    void settingsOfTheClientAreNotThoseOfItsLocks() {
        assertEquals(
                "timeout, key and files are settings of the client\n",
                python(
                        """
                        try:
                            Lock(Client(), "settings", timeout=1)
                        except Refused as refused:
                            print(refused)
                        """));
    }

    private static String python(String script) {
        Shell.Result ran = new Shell(Path.of(""), ClientKind.PYTHON.environment())
                .run(
                        LONGEST,
                        "python3",
                        "-c",
                        "import asyncio\nfrom quorumlock import *\nURL = '" + service.uri() + "'\n" + script);
        assertEquals(0, ran.status(), ran::output);
        return ran.output();
    }
}
