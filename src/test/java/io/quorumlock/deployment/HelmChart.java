// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlock.documentation.Shell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A Helm chart in a folder. Without helm, tests that render it are skipped. */
record HelmChart(Path folder) {
    static final HelmChart PROJECT = new HelmChart(Path.of("deploy/helm/quorumlock"));
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** Returns the values for tests of charts, by the part of the name before {@code -values.yaml}. */
    static Stream<String> examples() {
        return Manifests.below(PROJECT.folder.resolve("ci")).texts().keySet().stream()
                .map(file -> file.replace("-values.yaml", ""));
    }

    /** Returns the arguments for the values of an example. */
    static String[] values(String example) {
        return new String[] {
            "--values", PROJECT.folder.resolve("ci/" + example + "-values.yaml").toString()
        };
    }

    /** Copies the chart with one change. Fails if the file does not contain {@code from}. */
    HelmChart broken(Path copy, String file, String from, String to) {
        Manifests.below(folder).broken(file, from, to).texts().forEach((name, text) -> {
            try {
                Files.createDirectories(copy.resolve(name).getParent());
                Files.writeString(copy.resolve(name), text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return new HelmChart(copy);
    }

    /** Renders the chart as the release {@code quorumlock}, unless the arguments have another {@code --name-template}. */
    Manifests rendered(String... arguments) {
        Shell.Result result = render(arguments);
        assertTrue(result.succeeded(), result::output);
        return new Manifests(Map.of("chart.yaml", result.output()));
    }

    Shell.Result render(String... arguments) {
        return helm(
                Stream.of(
                        "template",
                        folder.toString(),
                        "--name-template=quorumlock",
                        "--namespace=locks",
                        "--kube-version=1.29.0"),
                arguments);
    }

    Shell.Result lint(String... arguments) {
        return helm(Stream.of("lint", "--strict", folder.toString()), arguments);
    }

    private static Shell.Result helm(Stream<String> command, String... arguments) {
        assumeTrue(Shell.has("helm"), "helm is not installed");
        List<String> all = Stream.concat(Stream.concat(Stream.of("helm"), command), Stream.of(arguments))
                .toList();
        return new Shell(Path.of(""), Map.of()).run(LIMIT, all.toArray(String[]::new));
    }
}
