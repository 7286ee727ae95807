// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.RecordStore;
import io.quorumlock.engines.consensus.RecordStore.StoredUptime;
import io.quorumlock.engines.consensus.StoredRecord;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The reports of a store, as text. */
public final class RecordedReports implements RecordStore.Watcher {
    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final List<ResourceName> existing = new CopyOnWriteArrayList<>();
    private volatile StoredUptime uptime;

    /** Returns the reports without repetitions. */
    public List<String> distinct() {
        return reports.stream().distinct().toList();
    }

    /** Returns the uptime that was reported last. */
    public StoredUptime uptime() {
        return uptime;
    }

    /** Returns the records that existed at a start. */
    public List<ResourceName> existing() {
        return List.copyOf(existing);
    }

    @Override
    public void uptime(StoredUptime stored) {
        uptime = stored;
    }

    @Override
    public void restarted() {
        reports.add("restarted");
    }

    @Override
    public void lost(MonotonicTime since) {
        reports.add("lost");
    }

    @Override
    public void exists(ResourceName name) {
        reports.add("exists " + name);
        existing.add(name);
    }

    @Override
    public void listed() {
        reports.add("listed");
    }

    @Override
    public void changed(ResourceName name, long revision) {
        reports.add("changed " + name + " " + revision);
    }

    @Override
    public void written(StoredRecord record) {
        changed(record.name(), record.revision());
    }

    @Override
    public void removed(ResourceName name, long revision) {
        reports.add("removed " + name);
    }
}
