// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;

/** One acquire of a lease: its tries, the pauses between them, and the clean-up after a failure. */
final class Acquire {
    private static final long LONGEST_WAIT = 60_000; // ms of one request
    private static final String OTHER =
            "the lock of another name was granted: write the base URL of the service, and let"
                    + " proxies keep the path";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final QuorumlockClient client;
    private final Transport transport;
    private final Terms terms;
    private final String token = newToken();

    Acquire(QuorumlockClient client, Transport transport, Terms terms) {
        this.client = client;
        this.transport = transport;
        this.terms = terms;
    }

    Lease run() throws InterruptedException {
        String name = terms.name();
        String target = terms.lock().with("", terms.query());
        Moment start = Moment.now();
        Set<Integer> tried = new HashSet<>(); // base URLs since the last pause
        boolean unclear = false; // whether the service may have granted a lease
        try {
            for (int tries = 1, pauses = 0, url = transport.preferred; ; tries++) {
                long left = Math.min(Math.max(0, terms.patience() - start.age()), LONGEST_WAIT);
                client.checkOpen();
                boolean unclearBefore = unclear;
                unclear = true;
                Call call = transport.send(url, "POST", target + "&waitMs=" + left, token);
                Answer answer = client.await(call, left + transport.timeout);
                unclear = unclearBefore || answer.mayHaveHadEffect();
                tried.add(url);
                String cause = answer.cause();
                switch (answer.status()) {
                    case 200, 201 -> {
                        Deadline deadline = answer.deadline(terms.ttl(), token);
                        if (deadline == null) {
                            throw answer.refused(name);
                        } else if (!Set.copyOf(terms.names()).equals(answer.granted())) {
                            throw answer.refused(name, OTHER);
                        }
                        Lease lease = new Lease(client, transport, terms, token, deadline, answer);
                        if (lease.untilLoss() > 0) {
                            unclear = false;
                            lease.start();
                            return lease;
                        }
                        cause = "the lease was too short";
                    }
                    case 409, 423 -> {
                        if (!answer.isBusy()) {
                            throw answer.refused(name);
                        } else if (start.age() >= terms.patience()) {
                            throw answer.status() == 423 ? client.held(terms.names(), answer) : answer.refused(name);
                        }
                    }
                        // The limits behind 429 are those of each replica.
                    case 0, 429, 500, 502, 503, 504 -> url = (url + 1) % transport.urls.size();
                    case 408 -> {}
                    default -> throw answer.refused(name);
                }
                long age = start.age();
                long latest = terms.patience() + transport.timeout;
                if (!tried.contains(url) && (age <= latest || tries < transport.urls.size())) {
                    continue;
                }
                long pause =
                        answer.isBusy() || answer.retryAfter() < 0 ? Transport.backoff(pauses) : answer.retryAfter();
                if (answer.isBusy()) {
                    pause = Math.max(0, Math.min(pause, terms.patience() - age)); // one more try at the end of the wait
                } else if (age + pause > latest) {
                    throw answer.status() == 429
                            ? answer.refused(name)
                            : new UnavailableException(name + ": unavailable: " + cause, answer.failure());
                }
                Thread.sleep(pause);
                pauses++;
                tried.clear();
            }
        } finally {
            if (unclear) {
                transport.await(transport.pool.submit(this::discard), transport.timeout);
            }
        }
    }

    /** Releases whatever has the token. */
    private Void discard() throws InterruptedException {
        int replicas = transport.urls.size();
        for (int i = 0, first = transport.preferred; i < replicas; i++) {
            Call call = transport.send(
                    (first + i) % replicas, "DELETE", terms.lock().with("", ""), token);
            int status = call.await(transport.timeout).status();
            if (status == 204 || status == 404) {
                break;
            }
        }
        return null;
    }

    private static String newToken() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
