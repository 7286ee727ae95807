// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The web applications of docs/use, built and run as the pages tell, on a service with an API key. */
@Order(1)
@Tag("tools")
class WebApplicationsIT {
    /** Maven downloads Spring Boot, and npm downloads Express, in the first run. */
    private static final Duration BUILD = Duration.ofMinutes(5);

    private static final Duration START = Duration.ofMinutes(3);
    private static final String PORT = "5000";
    private static final Path CHECKOUT = Path.of("").toAbsolutePath();

    @TempDir
    static Path keys;

    private static SecuredService service;

    @TempDir
    Path folder;

    private final String port = Integer.toString(FreePorts.find(1).get(0));

    @BeforeAll
    static void start() {
        service = SecuredService.start(keys);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void flask() throws IOException {
        Document page = Document.docs("use/python.md");
        assumeTrue(runs("python3", "-c", "import ensurepip"), "Python has no venv");
        assumeTrue(install(page).succeeded(), "Flask cannot be downloaded");
        write("app.py", page.blocks("python").get(0));
        check(".venv/bin/" + page.blocks("sh").get(1), page.blocks("sh").get(2), "{\"paid\":42}\n");
    }

    @Test
    void go() throws IOException {
        Document page = Document.docs("use/go.md");
        assumeTrue(Shell.has("go"), "Go is not installed");
        sh(page.blocks("sh").get(0).replace("/path/to/checkout", CHECKOUT.toString()));
        write("main.go", page.blocks("go").get(0).replace(PORT, port));
        String[] commands = page.blocks("sh").get(1).split("\n");
        sh(commands[0]);
        check(commands[1], page.blocks("sh").get(2), "paid\n");
    }

    @Test
    void node() throws IOException {
        Document page = Document.docs("use/node.md");
        assumeTrue(Shell.has("npm"), "npm is not installed");
        assumeTrue(install(page).succeeded(), "Express cannot be downloaded");
        write("app.mjs", page.blocks("javascript").get(0).replace(PORT, port));
        write("cleanup.mjs", page.blocks("javascript").get(1));
        check(page.blocks("sh").get(1), page.blocks("sh").get(2), "{\"paid\":42}");
        Shell.Result first = shell().run(START, "node", "cleanup.mjs");
        assertTrue(first.output().matches("cleanup token \\d{13,16}\n"), first::output);
        Shell.Result late = shell().run(START, "node", "cleanup.mjs");
        assertTrue(late.output().startsWith("jobs/cleanup was released and is kept for another "), late::output);
    }

    @Test
    void springBoot() throws IOException {
        Document page = Document.docs("use/spring-boot.md");
        // The usual local repository has what is downloaded, but does not get the packages of this checkout.
        String maven = CHECKOUT.resolve("mvnw") + " -B -ntp -Dmaven.repo.local=" + folder.resolve("repository")
                + " -Dmaven.repo.local.tail=" + Path.of(System.getProperty("user.home"), ".m2", "repository");
        Shell.Result installed = new Shell(CHECKOUT, service.environment())
                .run(BUILD, "sh", "-c", page.blocks("sh").get(0).replace("./mvnw", maven));
        assumeDownloaded(installed);
        assertTrue(installed.succeeded(), installed::output);
        write("pom.xml", page.blocks("xml").get(0));
        Files.createDirectories(folder.resolve("src/main/java/com/example"));
        write("src/main/java/com/example/Shop.java", page.blocks("java").get(0));
        String[] commands = page.blocks("sh").get(1).split("\n");
        Shell.Result built = shell().run(BUILD, "sh", "-c", commands[0].replace("mvn", maven));
        assumeDownloaded(built);
        assertTrue(built.succeeded(), built::output);
        String requests = page.blocks("sh").get(2);
        check(commands[1], requests, "{\"paid\":42} 200{\"refunded\":42}");
        String printed = Files.readString(folder.resolve("output.log"));
        assertTrue(printed.contains("cleanup\n"), printed);
        // Spring makes a proxy of a class with this annotation, which it cannot for a record.
        write(
                "src/main/java/com/example/Shop.java",
                page.blocks("java")
                        .get(0)
                        .replace("@EnableScheduling", "@EnableScheduling @EnableAsync")
                        .replace("@Scheduled(", "@Async @Scheduled("));
        built = shell().run(BUILD, "sh", "-c", commands[0].replace("mvn", maven + " -o"));
        assertTrue(built.succeeded(), built::output);
        check(commands[1], requests, "{\"paid\":42} 200{\"refunded\":42}");
    }

    private Shell.Result install(Document page) {
        String commands = page.blocks("sh").get(0).replace("/path/to/checkout", CHECKOUT.toString());
        return shell().run(BUILD, "sh", "-ec", commands);
    }

    private static void assumeDownloaded(Shell.Result built) {
        assumeFalse(
                built.output().contains("Non-resolvable")
                        || built.output().contains("Could not resolve")
                        || built.output().contains("could not be resolved"),
                "Spring Boot cannot be downloaded");
    }

    /** The requests are answered, refused while another client holds the lock, and refused without the service. */
    private void check(String run, String request, String paid) throws IOException {
        Path log = folder.resolve("output.log");
        Process program = shell().start(log, "sh", "-c", "exec " + run.replace(PORT, port));
        try {
            String patient = request.replace("curl", "curl --retry 60 --retry-delay 1 --retry-connrefused");
            assertEquals(paid + " 200", answer(patient));
            LockClient.Answer other = service.client().acquire("orders/42", 60_000);
            request.lines().forEach(one -> assertAnswer(one, " 409"));
            assertEquals(
                    204, service.client().release("orders/42", other.token()).status());
            service.replica().suspend();
            request.lines().forEach(one -> assertAnswer(one, " 503"));
            service.replica().resume();
            Eventually.within(
                    START,
                    "free",
                    () -> service.client().get("/locks/orders/42").status() == 404);
            String printed = Files.readString(log);
            assertTrue(
                    Pattern.compile("order 42 token \\d{13,16}\n")
                            .matcher(printed)
                            .find(),
                    printed);
        } finally {
            service.replica().resume();
            program.descendants().forEach(ProcessHandle::destroyForcibly);
            program.destroyForcibly();
        }
    }

    private void assertAnswer(String request, String end) {
        String answer = answer(request);
        assertTrue(answer.endsWith(end), () -> request + " answered: " + answer);
    }

    /** Returns the body and the status of a request. */
    private String answer(String request) {
        String quiet =
                request.strip().replace("curl", "curl -s -w ' %{http_code}'").replace(PORT, port);
        return shell().run(START, "sh", "-c", quiet).output();
    }

    private boolean runs(String... command) {
        return shell().run(START, command).succeeded();
    }

    private void sh(String script) {
        Shell.Result ran = shell().run(START, "sh", "-ec", service.localized(script));
        assertTrue(ran.succeeded(), ran::output);
    }

    private Shell shell() {
        return new Shell(folder, service.environment());
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }
}
