// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.testing.SeededRandom;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A process of clients. It ends when its standard input is closed, which also happens when its parent dies.
 *
 * <p>Arguments: name, seed, history file, port of the register, ports of the replicas.
 */
final class LoadMain {
    private final String process;
    private final SeededRandom random;
    private final int register;
    private final List<Integer> replicas;

    private LoadMain(String[] arguments) {
        process = arguments[0];
        random = new SeededRandom(Long.parseLong(arguments[1]));
        register = Integer.parseInt(arguments[3]);
        replicas = Stream.of(arguments).skip(4).map(Integer::valueOf).toList();
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        AtomicBoolean stopped = new AtomicBoolean();
        long warm = System.nanoTime() + Setup.WARM_UP.toNanos();
        try (HistoryWriter history = new HistoryWriter(arguments[0], Path.of(arguments[2]))) {
            LoadMain load = new LoadMain(arguments);
            List<Thread> threads = new ArrayList<>();
            for (int i = 1; i <= Setup.THREADS; i++) {
                LockUser warming = load.user("warm/", i, line -> {}, () -> System.nanoTime() > warm);
                LockUser user = load.user(Setup.RESOURCES_IN, i, history::write, stopped::get);
                threads.add(new Thread(() -> {
                    warming.run();
                    user.run();
                }));
            }
            threads.add(new Thread(new StallDetector(arguments[0], history, stopped::get)));
            threads.forEach(thread -> thread.setUncaughtExceptionHandler(LoadMain::crash));
            threads.forEach(Thread::start);
            System.in.transferTo(OutputStream.nullOutputStream());
            stopped.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private LockUser user(String folder, int number, Consumer<HistoryLine> history, BooleanSupplier stopped) {
        RecordingClient caller = new RecordingClient(process, replicas, history);
        LockUser.Tools tools = new LockUser.Tools(caller, new RegisterClient(register), folder);
        return new LockUser(process + "-" + number, random.split(), tools, stopped);
    }

    /** Halts the process, so that the history of a crashed client has no end. */
    private static void crash(Thread thread, Throwable cause) {
        cause.printStackTrace();
        Runtime.getRuntime().halt(1);
    }
}
