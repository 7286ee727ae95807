// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the client.
 *
 * @param url base URLs of the replicas, separated by commas; if not set, {@code QUORUMLOCK_URL}
 * @param key the API key; if not set, {@code QUORUMLOCK_KEY} or {@code QUORUMLOCK_KEY_FILE}
 * @param timeout the longest time for an answer, beside the wait for a lock
 * @param ttl the duration of a lease unless it is extended
 * @param prefix the beginning of the names of the locks of the registry
 * @param leader settings of the leader election
 */
@ConfigurationProperties("quorumlock")
public record QuorumlockProperties(
        String url,
        String key,
        @DefaultValue("3s") Duration timeout,
        @DefaultValue("30s") Duration ttl,
        @DefaultValue("") String prefix,
        Leader leader) {

    /** Returns the settings without the key. */
    @Override
    public String toString() {
        return "QuorumlockProperties[url=%s, timeout=%s, ttl=%s, prefix=%s, leader=%s]"
                .formatted(url, timeout, ttl, prefix, leader);
    }

    /**
     * The settings of the leader election.
     *
     * @param role if set, the instances with it elect a leader by the lock of this name
     */
    public record Leader(String role) {}
}
