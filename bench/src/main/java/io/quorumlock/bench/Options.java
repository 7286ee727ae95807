// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The command-line options.
 *
 * @param capacity measures what masters with persistence and a replica need at fixed rates
 * @param stores measures locks on ZooKeeper and etcd
 * @param only a part is selected if its name contains one of these; empty selects all parts
 * @param against the packaged application of another build to compare with
 */
record Options(
        int rounds,
        Duration round,
        Duration warmUp,
        boolean capacity,
        boolean stores,
        List<String> only,
        Optional<Path> against) {
    private static final String USAGE = "usage: bench/run [--quick] [--rounds N] [--only WORD]..."
            + " [--capacity | --stores] [--against COMMIT|DIR]";

    static Options parse(String... arguments) {
        Optional<Integer> rounds = Optional.empty();
        boolean quick = false;
        boolean capacity = false;
        boolean stores = false;
        List<String> only = new ArrayList<>();
        Optional<Path> against = Optional.empty();
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--quick")) {
                quick = true;
                continue;
            }
            if (arguments[i].equals("--capacity")) {
                capacity = true;
                continue;
            }
            if (arguments[i].equals("--stores")) {
                stores = true;
                continue;
            }
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(USAGE);
            }
            String value = arguments[i + 1];
            switch (arguments[i++]) {
                case "--rounds" -> rounds = Optional.of(parseNumber("--rounds", value));
                case "--only" -> only.add(value);
                case "--against" -> against = Optional.of(findApplication(value));
                default -> throw new IllegalArgumentException(USAGE);
            }
        }
        if (capacity && (stores || against.isPresent())) {
            throw new IllegalArgumentException(USAGE);
        }
        int factor = capacity ? 5 : 1; // processor time has a resolution of 10 ms
        return new Options(
                rounds.orElse(quick ? 2 : 5),
                Duration.ofSeconds(factor * (quick ? 1 : 3)),
                Duration.ofSeconds(quick ? 2 : 5),
                capacity,
                stores,
                List.copyOf(only),
                against);
    }

    private static int parseNumber(String option, String value) {
        if (!value.matches("[1-9][0-9]{0,4}")) {
            throw new IllegalArgumentException(option + " " + value + ": must be a number from 1 to 99999");
        }
        return Integer.parseInt(value);
    }

    private static Path findApplication(String folder) {
        for (Path application : List.of(Path.of(folder), Path.of(folder, "target", "quarkus-app"))) {
            if (Files.isReadable(application.resolve(ServiceConfig.RUNNER))) {
                return application.toAbsolutePath();
            }
        }
        throw new IllegalArgumentException("--against " + folder + ": has neither " + ServiceConfig.RUNNER
                + " nor target/quarkus-app/" + ServiceConfig.RUNNER + "; build it with ./mvnw package -DskipTests");
    }

    boolean includes(String part) {
        return only.isEmpty() || only.stream().anyMatch(part::contains);
    }
}
