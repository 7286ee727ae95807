// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import io.quorumlock.documentation.Shell;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The shell client as a process that uses one service. */
record ShellClient(Path folder, URI service) {
    static final Duration LONGEST = Duration.ofSeconds(60);
    /** The status of a command whose lease was lost. */
    static final int LOST = 76;

    private static final String PATH =
            Path.of("clients/shell/quorumlock").toAbsolutePath().toString();

    static boolean isInstalled() {
        return ClientKind.SHELL.isInstalled();
    }

    Shell.Result run(String... arguments) {
        List<String> command = new ArrayList<>(withDefaultSignals());
        command.addAll(List.of("sh", PATH));
        command.addAll(List.of(arguments));
        return new Shell(folder, Map.of("QUORUMLOCK_URL", service.toString()))
                .run(LONGEST, command.toArray(String[]::new));
    }

    /** Signals that this process ignores, for example under nohup, would be ignored by the client, too. */
    private static List<String> withDefaultSignals() {
        List<String> reset = List.of("env", "--default-signal=HUP,INT");
        Shell.Result supported = new Shell(Path.of(""), Map.of()).run(LONGEST, reset.get(0), reset.get(1), "true");
        return supported.succeeded() ? reset : List.of();
    }
}
