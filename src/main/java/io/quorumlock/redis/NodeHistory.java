package io.quorumlock.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * What the marker on a node tells of its past (R9).
 *
 * @param id the node's own, kept over restarts that keep its data; empty for a node without a marker
 * @param age grows with the heartbeats of all replicas; a smaller one than before shows older data
 * @param longest the longest quarantine of any replica that was there lately
 * @param others the ages of other nodes by their ids, as replicas last told this node
 */
record NodeHistory(String id, long age, Duration longest, Map<String, Long> others) {

    boolean isNew() {
        return id.isEmpty();
    }

    /** Reads ages written as {@code id=age id=age}; leaves out what is none. */
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
