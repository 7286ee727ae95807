// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.ui;

import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import java.util.concurrent.atomic.AtomicReference;

/** Leases that the page shows. */
final class Leases {
    private static final int LONG = 60_000;

    private Leases() {}

    /** Acquires the lock and returns its token. Masters of a busy test machine may be too slow at first. */
    static String held(LockClient client, String resource) {
        AtomicReference<Answer> answer = new AtomicReference<>();
        Eventually.holds(() -> "not acquired: " + answer.get(), () -> {
            answer.set(client.acquire(resource, LONG));
            return answer.get().status() == 201;
        });
        return answer.get().token();
    }
}
