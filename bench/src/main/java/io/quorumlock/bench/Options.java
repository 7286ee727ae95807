// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The command-line options.
 *
 * @param capacity measures what masters with persistence and a replica need at fixed rates
 * @param stores measures locks on ZooKeeper and etcd
 * @param records measures lists of many locks on ZooKeeper and etcd, and how many records they have
 * @param waiters measures a client beside this many others, each of which waits for a lock of its own
 * @param only a part is selected if its name contains one of these; empty selects all parts
 * @param jdk the home of a second JDK on which the service is started as well
 * @param against the packaged application of another build to compare with
 */
record Options(
        int rounds,
        Duration round,
        Duration warmUp,
        boolean capacity,
        boolean stores,
        boolean records,
        Optional<Integer> waiters,
        List<String> only,
        Optional<Path> jdk,
        Optional<Path> against) {
    private static final String USAGE = "usage: bench/run [--quick] [--rounds N] [--only WORD]... [--jdk HOME]"
            + " [--capacity | --stores | --records | --waiters N] [--against COMMIT|DIR]";

    static Options parse(String... arguments) {
        Optional<Integer> rounds = Optional.empty();
        Optional<Integer> waiters = Optional.empty();
        boolean quick = false;
        boolean capacity = false;
        boolean stores = false;
        boolean records = false;
        List<String> only = new ArrayList<>();
        Optional<Path> jdk = Optional.empty();
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
            if (arguments[i].equals("--records")) {
                records = true;
                continue;
            }
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(USAGE);
            }
            String value = arguments[i + 1];
            switch (arguments[i++]) {
                case "--rounds" -> rounds = Optional.of(parseNumber("--rounds", value));
                case "--waiters" -> waiters = Optional.of(parseNumber("--waiters", value));
                case "--only" -> only.add(value);
                case "--jdk" -> jdk = Optional.of(findJdk(value));
                case "--against" -> against = Optional.of(findApplication(value));
                default -> throw new IllegalArgumentException(USAGE);
            }
        }
        long kinds = Stream.of(capacity, stores, records, waiters.isPresent())
                .filter(chosen -> chosen)
                .count();
        if (kinds > 1 || (capacity || records) && against.isPresent()) {
            throw new IllegalArgumentException(USAGE);
        }
        int factor = capacity || waiters.isPresent() ? 5 : 1; // processor time has a resolution of 10 ms
        return new Options(
                rounds.orElse(records ? 1 : quick ? 2 : 5),
                Duration.ofSeconds(records ? quick ? 12 : 60 : factor * (quick ? 1 : 3)),
                Duration.ofSeconds(quick ? 2 : 5),
                capacity,
                stores,
                records,
                waiters,
                List.copyOf(only),
                jdk,
                against);
    }

    private static int parseNumber(String option, String value) {
        if (!value.matches("[1-9][0-9]{0,4}")) {
            throw new IllegalArgumentException(option + " " + value + ": must be a number from 1 to 99999");
        }
        return Integer.parseInt(value);
    }

    private static Path findJdk(String home) {
        if (!Files.isExecutable(Path.of(home, "bin", "java"))) {
            throw new IllegalArgumentException("--jdk " + home + ": has no bin/java");
        }
        return Path.of(home);
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
