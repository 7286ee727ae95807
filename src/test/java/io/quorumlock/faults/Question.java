// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.faults.LockCaller.Wish;

/**
 * A call that a client makes.
 *
 * @param more further query parameters
 */
record Question(int replica, Operation operation, Wish wish, int attempt, long invoked, String more) {
    private static final String REASON = "force=true&reason=a-fault-run";

    static Question now(int replica, Operation operation, Wish wish, int attempt) {
        return new Question(replica, operation, wish, attempt, System.nanoTime(), "");
    }

    Question with(String parameters) {
        return new Question(replica, operation, wish, attempt, invoked, parameters);
    }

    HttpLine.Request request() {
        String path = "/locks/" + wish.resource();
        String token = "token-of-lease-" + wish.lease();
        return switch (operation) {
            case ACQUIRE -> new HttpLine.Request("POST", path, token, terms(true));
            case SESSION -> new HttpLine.Request(
                    "POST", "/sessions/" + wish.resource() + "?" + more, token, terms(true));
            case EXTEND -> new HttpLine.Request("PUT", path + "/extend", token, terms(false));
            case RELEASE -> new HttpLine.Request("DELETE", path, token, "");
            case BREAK -> new HttpLine.Request("DELETE", path + "?" + REASON, "", "");
            case EVENT -> throw new IllegalArgumentException("an event has no request");
        };
    }

    private String terms(boolean mayWait) {
        String wait = mayWait ? ",\"waitMs\":" + wish.waitMs() : "";
        return "{\"ttlMs\":" + wish.ttlMs() + wait + ",\"minValidityMs\":" + wish.minValidityMs() + "}";
    }
}
