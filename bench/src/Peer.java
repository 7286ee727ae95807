package io.quorumlock.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Is another program that locks on the same masters, in a process of its own, with its clients within it. */
final class Peer implements Part {
    private static final int PATIENCE_SECONDS = 30;

    private final Child child;

    private Peer(Setting setting, Child child) {
        this.child = child;
        setting.count(child);
    }

    static Peer start(Setting setting, String name, Path folder, int clients, List<String> program) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.add(Integer.toString(clients));
        setting.masters().urls().forEach(url -> command.add(url.toString()));
        Path log = Files.createDirectories(Path.of("target")).resolve("bench-" + name + ".log");
        return new Peer(setting, Child.commanded(log, folder, command));
    }

    @Override
    public Sample run(Duration duration) throws Exception {
        tell("run " + duration.toMillis());
        String answer = answer(duration.toSeconds() + PATIENCE_SECONDS);
        long[] numbers =
                Arrays.stream(answer.split(" ")).mapToLong(Long::parseLong).toArray();
        Latencies latencies = new Latencies();
        Arrays.stream(numbers, 2, numbers.length).forEach(latencies::add);
        return Sample.of(Latencies.merge(List.of(latencies)), numbers[0], Duration.ofNanos(numbers[1]));
    }

    private void tell(String command) {
        try {
            child.commands().write(command + "\n");
            child.commands().flush();
        } catch (IOException e) {
            throw ended();
        }
    }

    private IllegalStateException ended() {
        return new IllegalStateException("it ended, its last words: " + child.lastWords());
    }

    private String answer(long patienceSeconds) throws InterruptedException {
        try {
            return CompletableFuture.supplyAsync(this::answer).get(patienceSeconds, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("it did not answer in " + patienceSeconds + " s", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e);
        }
    }

    private String answer() {
        try {
            String line = child.answers().readLine();
            if (line == null) {
                throw ended();
            }
            return line;
        } catch (IOException e) {
            throw new IllegalStateException("it does not answer", e);
        }
    }

    @Override
    public void close() {
        child.close();
    }
}
