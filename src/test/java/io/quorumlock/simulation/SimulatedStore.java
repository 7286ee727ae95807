// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.RecordStore.StoredUptime;
import io.quorumlock.engines.consensus.StoreReply;
import io.quorumlock.testing.MemoryRecords;
import io.quorumlock.testing.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/** The linearizable store of one run, with its delays. */
final class SimulatedStore {
    private final EventQueue events;
    private final SeededRandom random;
    private final List<StorePath> watchers = new ArrayList<>();
    private final MemoryRecords records =
            new MemoryRecords(report -> List.copyOf(watchers).forEach(path -> path.report(report)));
    private long slowUntil;
    private int answersToLose;

    SimulatedStore(EventQueue events, SeededRandom random) {
        this.events = events;
        this.random = random;
    }

    List<ResourceName> names() {
        return records.names();
    }

    StoreReply read(List<ResourceName> names) {
        return records.read(names);
    }

    StoreReply commit(List<Change> changes) {
        return records.commit(changes);
    }

    StoredUptime uptime() {
        return records.uptime();
    }

    StoredUptime writeUptime(StoredUptime read, String text) {
        return records.writeUptime(read, text);
    }

    /** Reports all changes from now on. */
    void watch(StorePath path) {
        watchers.add(path);
    }

    void unwatch(StorePath path) {
        watchers.remove(path);
    }

    void slow(long until) {
        slowUntil = until;
    }

    /** Breaks connections right after a call took effect, so that its reply is lost. */
    void loseAnswers(int many) {
        answersToLose = many;
    }

    boolean losesAnswer() {
        return answersToLose > 0 && answersToLose-- > 0;
    }

    /** Returns whether a message that is on its way when its connection breaks still arrives. */
    boolean arrivesAfterBreak() {
        return random.onceIn(2);
    }

    long delay() {
        return events.now() < slowUntil ? random.millis(2, 120) : 50_000 + random.millis(0, random.onceIn(20) ? 20 : 1);
    }

    void heal() {
        slowUntil = 0;
        answersToLose = 0;
    }
}
