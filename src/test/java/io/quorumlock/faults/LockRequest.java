// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Operation;
import io.quorumlock.history.Terms;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A call that a client makes. The token of the terms is the end of the real one. */
record LockRequest(int replica, Operation operation, Terms terms, long sent) {
    private static final String REASON = "force=true&reason=a-fault-run";

    static LockRequest now(int replica, Operation operation, Terms terms) {
        boolean mayWait = operation == Operation.ACQUIRE || operation == Operation.SESSION;
        return new LockRequest(replica, operation, mayWait ? terms : terms.waiting(Duration.ZERO), System.nanoTime());
    }

    HttpLine.Request http() {
        String token = "token-of-lease-" + terms.token();
        return switch (operation) {
            case ACQUIRE -> new HttpLine.Request("POST", path("", ""), token, body(true));
            case SESSION -> new HttpLine.Request("POST", "/sessions/" + terms.resource(), token, body(true));
            case EXTEND -> new HttpLine.Request("PUT", path("/extend", ""), token, body(false));
            case RELEASE -> new HttpLine.Request("DELETE", path("", keep()), token, "");
            case BREAK -> new HttpLine.Request("DELETE", path("", REASON), "", "");
            case SESSION_EXTENSION, SESSION_END -> throw new IllegalArgumentException("an event has no request");
        };
    }

    /** Returns the path: with the name, or with the names of several locks in the query. */
    private String path(String action, String parameter) {
        String path = "/locks/" + terms.resource() + action;
        String query = parameter;
        if (terms.areOfSeveral()) {
            path = "/locks" + action;
            query = "names=" + String.join("&names=", terms.names()) + (query.isEmpty() ? "" : "&" + query);
        }
        return query.isEmpty() ? path : path + "?" + query;
    }

    private String body(boolean acquires) {
        String wait = ",\"waitMs\":" + millis(terms.longestWait());
        return "{\"ttlMs\":" + millis(terms.ttl()) + (acquires ? wait + kind() : "") + "}";
    }

    private String kind() {
        return switch (terms.kind().type()) {
            case EXCLUSIVE -> "";
            case SHARED -> ",\"mode\":\"shared\"";
            case SLOTS -> ",\"slots\":" + terms.kind().slots();
        };
    }

    private String keep() {
        return terms.keep() > 0 ? "keepMs=" + millis(terms.keep()) : "";
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
