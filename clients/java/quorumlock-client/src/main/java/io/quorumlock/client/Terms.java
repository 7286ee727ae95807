// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The names and options of a lease, checked. Times are in ms.
 *
 * @param query the parameters of an acquire, beside the wait
 * @param patience the longest wait
 * @param extended whether the client still extends the lease
 */
record Terms(
        List<String> names,
        Target lock,
        String query,
        long ttl,
        long margin,
        long keep,
        long patience,
        BooleanSupplier extended) {

    static Terms of(List<String> names, Options options) {
        Checks.require(!Checks.given("names", names).isEmpty(), "there must be a name");
        names.forEach(one -> Checks.given("a name", one));
        Checks.given("options", options);
        Target lock = Target.of(names);
        long ttl = Checks.positive("ttl", options.ttl);
        long margin = options.margin == null ? ttl / 6 : Checks.notNegative("margin", options.margin);
        Checks.require(margin < ttl, "margin (" + margin + " ms) must be less than ttl (" + ttl + " ms)");
        long keep = Checks.notNegative("keep", options.keep);
        Integer slots = options.slots;
        Checks.require(
                slots == null || slots >= 1 && slots <= 64, "slots must be a whole number from 1 to 64, not " + slots);
        Checks.require(!options.shared || slots == null, "slots is not allowed with shared");
        long patience = Math.min(Checks.notNegative("maxWait", options.maxWait), Long.MAX_VALUE / 4);
        String query = "ttlMs=" + ttl
                + (options.owner == null ? "" : "&owner=" + Text.encode(options.owner))
                + (options.shared ? "&mode=shared" : "")
                + (slots == null ? "" : "&slots=" + slots);
        return new Terms(List.copyOf(names), lock, query, ttl, margin, keep, patience, options.extended);
    }

    /** Returns the name, or all of several. */
    String name() {
        return String.join(", ", names);
    }
}
