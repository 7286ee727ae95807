// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Calls that block, each in a thread of its own. In the common pool, those of other tests can take all threads. */
public final class Background {
    private Background() {}

    public static <T> CompletableFuture<T> supply(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, Background::start);
    }

    public static CompletableFuture<Void> run(Runnable task) {
        return CompletableFuture.runAsync(task, Background::start);
    }

    private static void start(Runnable task) {
        new Thread(task, "background of a test").start();
    }
}
