package io.quorumlock.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Is how a process is run that answers HTTP.
 *
 * @param name of the log file
 * @param java the JDK's home
 * @param arguments of its virtual machine, and what to run
 * @param settings of the service, as environment variables
 * @param ready the path that answers 200 when it is ready
 */
record Form(String name, Path java, List<String> arguments, Map<String, String> settings, String ready) {
    private static final Path JAR = Path.of("target/quarkus-app/quarkus-run.jar");
    private static final Path OWN_JAVA = Path.of(System.getProperty("java.home"));
    /** The guard keeps masters that remember nothing from voting for a bit longer than the longest TTL. */
    private static final String TTL = "1s";

    /** All of the service: with fencing tokens, and masters that have to earn their vote. */
    static final Form FULL =
            of("full").with("QUORUMLOCK_TTL_MAX", TTL).with("QUORUMLOCK_RESTART_GUARD_ENABLED", "true");

    /** All of the service, with no more patience with masters than by default: what it does when some are away depends on that. */
    static final Form IMPATIENT = FULL.named("impatient").with("QUORUMLOCK_NODE_TIMEOUT", "50ms");

    /** Neither fencing tokens nor guard. */
    static final Form PLAIN =
            new Form("plain", OWN_JAVA, List.of("-jar", PlainApp.JAR.toString()), of("").settings, "/q/health/ready");

    /** As a sidecar would be run. */
    static final Form SMALL = of("small").option("-Xmx64m");

    /** Lets as many wait as the limits allow, and as long. */
    static final Form PATIENT = of("patient")
            .with("QUORUMLOCK_TTL_MAX", "60s")
            .with("QUORUMLOCK_WAIT_MAX", "60s")
            .with("QUORUMLOCK_WAITERS_MAX", "20000")
            .with("QUORUMLOCK_WAITERS_MAX_PER_RESOURCE", "20000");

    /** No service at all: a server of the same HTTP library that does nothing. */
    static final Form NOTHING = new Form(
            "nothing",
            OWN_JAVA,
            List.of("-cp", System.getProperty("java.class.path"), NothingServer.class.getName()),
            Map.of(),
            "/");

    /** As in the image: jars from which the JVM can archive classes. */
    static final Form ARCHIVABLE = new Form(
            "archivable",
            OWN_JAVA,
            List.of("-jar", "target/bench-archivable/quarkus-run.jar"),
            of("").settings,
            "/q/health/ready");

    /** The service as packaged, without the guard, so that it is of use as soon as it is ready. */
    static Form of(String name) {
        Map<String, String> settings = Map.of(
                "QUARKUS_HTTP_HOST",
                "127.0.0.1",
                "QUARKUS_HTTP_PORT",
                "0",
                "QUORUMLOCK_NODE_TIMEOUT",
                Service.NODE_TIMEOUT.toMillis() + "ms",
                "QUORUMLOCK_TTL_MIN",
                TTL,
                "QUORUMLOCK_TTL_DEFAULT",
                TTL,
                "QUORUMLOCK_RESTART_GUARD_ENABLED",
                "false");
        return new Form(name, OWN_JAVA, List.of("-jar", JAR.toString()), settings, "/q/health/ready");
    }

    Form with(String key, String value) {
        Map<String, String> more = new HashMap<>(settings);
        more.put(key, value);
        return new Form(name, java, arguments, more, ready);
    }

    /** Adds an option of the virtual machine. */
    Form option(String option) {
        List<String> more = new ArrayList<>(List.of(option));
        more.addAll(arguments);
        return new Form(name, java, more, settings, ready);
    }

    Form named(String name) {
        return new Form(name, java, arguments, settings, ready);
    }

    Form on(Path home) {
        return new Form(name, home, arguments, settings, ready);
    }

    List<String> command() {
        List<String> command = new ArrayList<>(List.of(java.resolve("bin/java").toString()));
        command.addAll(arguments);
        return command;
    }
}
