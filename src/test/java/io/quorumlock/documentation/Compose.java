// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A compose file of the project, run under a separate project name. */
final class Compose implements AutoCloseable {
    /** Two projects at once leave each too little of two cores. */
    static final String ENGINE = "Docker engine";

    private static final Duration AT_MOST = Duration.ofMinutes(10);
    /** Patience for masters of a busy machine. */
    static final String BUSY = "src/test/resources/compose/busy.yml";

    private final List<String> command;
    private final Shell shell;

    private Compose(List<String> command, Shell shell) {
        this.command = command;
        this.shell = shell;
    }

    /** Returns the Compose plug-in or the older program, if a Docker engine answers. */
    static Optional<Compose> find(String project, Map<String, String> environment, String... files) {
        Shell shell = new Shell(Path.of(""), environment);
        List<String> options = Stream.concat(
                        Stream.of(files).flatMap(file -> Stream.of("-f", file)), Stream.of("-p", project))
                .toList();
        if (!shell.run(Duration.ofSeconds(10), "docker", "info").succeeded()) {
            return Optional.empty();
        }
        return Stream.of(List.of("docker", "compose"), List.of("docker-compose"))
                .filter(program -> shell.run(Duration.ofSeconds(10), append(program, "version"))
                        .succeeded())
                .findFirst()
                .map(program -> new Compose(List.of(append(program, options.toArray(String[]::new))), shell));
    }

    void run(String... arguments) {
        Shell.Result result = shell.run(AT_MOST, append(command, arguments));
        if (!result.succeeded()) {
            throw new IllegalStateException(String.join(" ", arguments) + " failed:\n" + result.output());
        }
    }

    /** Runs one more container of the service and returns its name. It goes with the others. */
    String runSidecar(int port, String memory, String... variables) {
        String name = command.get(command.size() - 1) + "-sidecar";
        List<String> arguments =
                new ArrayList<>(List.of("run", "-d", "--name", name, "-p", "127.0.0.1:" + port + ":8080"));
        List.of(variables).forEach(variable -> arguments.addAll(List.of("-e", variable)));
        arguments.add("quorumlock");
        run(arguments.toArray(String[]::new));
        docker("update", "--memory", memory, "--memory-swap", memory, name);
        return name;
    }

    String docker(String... arguments) {
        List<String> all = new ArrayList<>(List.of("docker"));
        all.addAll(List.of(arguments));
        Shell.Result result = shell.run(AT_MOST, all.toArray(String[]::new));
        if (!result.succeeded()) {
            throw new IllegalStateException(all + " failed:\n" + result.output());
        }
        return result.output();
    }

    String logs() {
        return shell.run(Duration.ofSeconds(30), append(command, "logs")).output();
    }

    /** Removes the containers, networks, volumes and images. */
    @Override
    public void close() {
        run("down", "--remove-orphans", "-v", "--rmi", "local", "-t", "1");
    }

    private static String[] append(List<String> command, String... more) {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }
}
