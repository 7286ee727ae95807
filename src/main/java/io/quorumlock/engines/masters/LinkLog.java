// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.engines.redis.MasterAddress;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/** The log lines of one link, which report changes only. No line contains credentials. */
final class LinkLog {
    private static final Logger LOG = Logger.getLogger(LinkLog.class);

    private final String alias;
    private final MasterAddress address;
    private String state = "";

    LinkLog(String alias, MasterAddress address) {
        this.alias = alias;
        this.address = address;
    }

    private boolean changesTo(String next) {
        boolean changes = !next.equals(state);
        state = next;
        return changes;
    }

    void up() {
        if (changesTo("up")) {
            LOG.infof("master up node=%s server=%s", alias, address);
        }
    }

    void down(ServerFailure reason, Optional<String> detail) {
        if (changesTo(reason.label())) {
            String more = detail.map(text -> " (" + text + ")").orElse("");
            LOG.warnf("master down node=%s server=%s reason=%s%s", alias, address, reason.label(), more);
        }
    }

    void quarantined(Duration left, String advice) {
        changesTo("quarantined");
        LOG.warnf(
                "master quarantined node=%s server=%s for_ms=%d advice=\"%s\"",
                alias, address, left.toMillis(), advice);
    }

    void refused(String why) {
        if (changesTo(why)) {
            LOG.warnf("master refused node=%s server=%s reason=\"%s\"", alias, address, why);
        }
    }

    void clockStepped(Duration by) {
        changesTo("clock stepped");
        LOG.warnf("master clock stepped node=%s server=%s by_ms=%d", alias, address, by.toMillis());
    }

    void ownClockStopped() {
        changesTo("own clock stopped");
        LOG.infof("own clock stopped node=%s server=%s advice=\"no action; this machine was paused\"", alias, address);
    }

    static void stalled(Duration last) {
        LOG.warnf(
                "replica stalled for_ms=%d advice=\"again and again, answers of masters did not count; give this replica more CPU\"",
                last.toMillis());
    }

    void evicts(String policy) {
        LOG.warnf("master may evict locks node=%s maxmemory_policy=%s advice=\"set noeviction\"", alias, policy);
    }
}
