// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.NodeFailure;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/** The log lines of one link. No line contains credentials. */
record LinkLog(String alias, NodeAddress address) {
    private static final Logger LOG = Logger.getLogger(NodeLink.class);

    void up() {
        LOG.infof("node up node=%s server=%s", alias, address);
    }

    void down(NodeFailure reason, Optional<String> detail) {
        String more = detail.map(text -> " (" + text + ")").orElse("");
        LOG.warnf("node down node=%s server=%s reason=%s%s", alias, address, reason, more);
    }

    void quarantined(Duration left, String advice) {
        LOG.warnf(
                "node quarantined node=%s server=%s for_ms=%d advice=\"%s\"", alias, address, left.toMillis(), advice);
    }

    void refused(String why) {
        LOG.warnf("node refused node=%s server=%s reason=\"%s\"", alias, address, why);
    }

    void clockStepped(Duration by) {
        LOG.warnf("node clock stepped node=%s server=%s by_ms=%d", alias, address, by.toMillis());
    }

    void ownClockStopped() {
        LOG.infof("own clock stopped node=%s server=%s advice=\"no action; this machine was paused\"", alias, address);
    }

    void evicts(String policy) {
        LOG.warnf("node may evict locks node=%s maxmemory_policy=%s advice=\"set noeviction\"", alias, policy);
    }
}
