// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An answer.
 *
 * @param url of the replica
 * @param status 0 without a complete answer
 * @param json null if the answer is not a JSON object
 * @param retryAfter in ms, or -1
 */
record Answer(Moment sent, String url, int status, Map<?, ?> json, long retryAfter, Throwable failure) {
    boolean mayHaveHadEffect() {
        boolean notConnected = failure instanceof ConnectException;
        return !notConnected && (!isProblem() || status >= 500);
    }

    /** Returns whether this is a problem document of the service. */
    boolean isProblem() {
        return text("type") != null && text("type").startsWith("/problems/");
    }

    /** Returns whether the lock is held, perhaps with another number of slots: an acquire is tried again. */
    boolean isBusy() {
        return status == 423 && "/problems/locked".equals(text("type"))
                || status == 409 && "/problems/other-slots".equals(text("type"));
    }

    String text(String field) {
        return json != null && json.get(field) instanceof String text ? Text.printable(text) : null;
    }

    long number(String field) {
        return json != null && json.get(field) instanceof Long number ? number : -1;
    }

    boolean flag(String field) {
        return json != null && json.get(field) == Boolean.TRUE;
    }

    /** Returns the parts of an answer about several names, or the answer itself. */
    List<Answer> parts(String field) {
        if (json == null || !(json.get(field) instanceof List<?> list) || list.isEmpty()) {
            return List.of(this);
        }
        return list.stream()
                .map(part -> part instanceof Map<?, ?> fields ? fields : Map.of())
                .map(fields -> new Answer(sent, url, status, fields, retryAfter, failure))
                .toList();
    }

    long fencingToken() {
        return parts("leases").get(0).number("fencingToken");
    }

    /** Returns the names of a lease. */
    Set<Object> granted() {
        String field = json.get("leases") == null ? "resource" : "name";
        return parts("leases").stream().map(part -> part.json.get(field)).collect(Collectors.toSet());
    }

    OptionalInt slot() {
        long slot = number("slot");
        return slot < 0 ? OptionalInt.empty() : OptionalInt.of((int) slot);
    }

    /** Returns the deadline of the lease of the token, or null. It is at most the TTL from now. */
    Deadline deadline(long ttl, String token) {
        long validity = number("validityMs");
        long elapsed = number("elapsedMs");
        boolean granted = (status == 200 || status == 201) && token.equals(text("token"));
        boolean lease = granted && validity > 0 && elapsed >= 0 && fencingToken() > 0;
        return lease ? new Deadline(sent, Math.min(elapsed, sent.age()) + Math.min(validity, ttl)) : null;
    }

    String cause() {
        if (status == 0) {
            return "no answer from " + url + " (" + failure.getClass().getSimpleName() + ")";
        }
        return "status " + status + ", " + (isProblem() ? text("detail") : "an unexpected answer");
    }

    /** Returns the error of an answer that is no problem document, with what to do. */
    RefusedException refused(String name, String what) {
        return new RefusedException(status, null, null, name + ": refused: status " + status + ", " + what);
    }

    RefusedException refused(String name) {
        String message = name + ": refused: " + cause();
        return isProblem()
                ? new RefusedException(status, text("type"), text("detail"), message)
                : new RefusedException(status, null, null, message);
    }
}
