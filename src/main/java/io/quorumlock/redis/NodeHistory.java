package io.quorumlock.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The history of a node according to its marker (R9).
 *
 * @param id the id of the node, kept over restarts that keep its data; empty without a marker
 * @param age grows with the heartbeats of all replicas; an age that is smaller than before proves older data
 * @param longest the longest quarantine of any replica that was connected recently
 * @param others the ages of other nodes by id, as replicas last reported them to this node
 */
record NodeHistory(String id, long age, Duration longest, Map<String, Long> others) {

    boolean isNew() {
        return id.isEmpty();
    }

    /** Parses ages in the form {@code id=age id=age}. Ignores entries of another form. */
    static Map<String, Long> ages(String text) {
        Map<String, Long> ages = new HashMap<>();
        for (String word : text.split(" ")) {
            int sign = word.indexOf('=');
            if (sign > 0) {
                ages.put(word.substring(0, sign), Long.parseLong(word.substring(sign + 1)));
            }
        }
        return ages;
    }
}
