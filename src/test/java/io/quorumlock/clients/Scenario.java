// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;

/** A scenario that runs with the clients of all installed languages at the same time. */
@FunctionalInterface
interface Scenario {
    /** Runs with one client. The name of the lock is that of no other client. */
    void run(ClientKind kind, String lock) throws Exception;

    /** Runs the scenario with every client, and fails with the failures of all. */
    static void run(String name, Scenario scenario) {
        Map<ClientKind, CompletableFuture<Void>> runs = new TreeMap<>();
        for (ClientKind kind : ClientKind.installed()) {
            String lock = "clients/" + kind.name().toLowerCase(Locale.ROOT) + "/" + name;
            CompletableFuture<Void> run = new CompletableFuture<>();
            Thread thread = new Thread(
                    () -> {
                        try {
                            scenario.run(kind, lock);
                            run.complete(null);
                        } catch (Exception | AssertionError e) {
                            run.completeExceptionally(e);
                        }
                    },
                    "scenario-" + kind);
            thread.setDaemon(true);
            thread.start();
            runs.put(kind, run);
        }
        List<Throwable> failures = new ArrayList<>();
        StringBuilder results = new StringBuilder("clients: ").append(name).append(':');
        runs.forEach((kind, run) -> {
            try {
                run.join();
                results.append(' ').append(kind).append(" passed");
            } catch (CompletionException e) {
                results.append(' ').append(kind).append(" FAILED");
                failures.add(new AssertionError(kind + ": " + e.getCause(), e.getCause()));
            }
        });
        System.out.println(results);
        if (!failures.isEmpty()) {
            AssertionError all = new AssertionError(String.join(
                    "; ", failures.stream().map(Throwable::getMessage).toList()));
            failures.forEach(all::addSuppressed);
            throw all;
        }
    }

    /** Inspects a lock. Masters of a busy test machine may be too slow at first. */
    static LockClient.Answer inspect(LockClient client, String lock) {
        AtomicReference<LockClient.Answer> answer = new AtomicReference<>();
        Eventually.holds(() -> "no majority: " + answer.get(), () -> {
            answer.set(client.get("/locks/" + lock));
            return answer.get().status() != 503;
        });
        return answer.get();
    }

    /** Breaks a lock, again after 503: masters of a busy test machine may be too slow, and then it may be broken already. */
    static void force(LockClient client, String lock) {
        AtomicReference<LockClient.Answer> answer = new AtomicReference<>();
        Eventually.holds(() -> "not broken: " + answer.get(), () -> {
            answer.set(client.force(lock, "test", "clients"));
            return List.of(204, 404).contains(answer.get().status());
        });
    }

    /** Asserts that no client holds the lock. */
    static void assertFree(LockClient client, String lock) {
        assertEquals(404, inspect(client, lock).status(), lock);
    }
}
