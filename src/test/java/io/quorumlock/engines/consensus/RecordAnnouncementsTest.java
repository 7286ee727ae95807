// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.Announcements;
import io.quorumlock.core.lock.Announcements.Announcement;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The announcements on ZooKeeper, which reports no contents. */
class RecordAnnouncementsTest extends RecordsFixture {
    private final RecordAnnouncements announcements = new RecordAnnouncements(records);

    @Test
    void doesNotAnnounceWhatWasWrittenBeforeAnybodyListened() {
        StoredRecord written = write();
        records.changed(RESOURCE, written.revision());
        time.pass(SECOND);
        List<Announcement> announced = listen(RESOURCE);
        read();
        assertEquals(List.of(), announced);
    }

    /** A read costs the store as much as a write. */
    @Test
    void readsOnlyChangesThatAreWanted() {
        StoredRecord written = write();
        List<Announcement> announced = listen(RESOURCE);
        int calls = connection.calls();
        records.changed(new ResourceName("other"), written.revision() - 1);
        records.changed(RESOURCE, written.revision());
        time.pass(Duration.ZERO);
        assertEquals(1, connection.calls() - calls);
        assertEquals(
                List.of(RESOURCE),
                announced.stream().map(Announcement::resource).toList());
    }

    /** Listens to the announcements of one lock from now on. */
    private List<Announcement> listen(ResourceName wanted) {
        List<Announcement> announced = new ArrayList<>();
        MonotonicTime begun = time.now();
        announcements.listen(new Announcements.Listener() {
            @Override
            public Optional<MonotonicTime> wantedSince(ResourceName resource) {
                return Optional.of(begun).filter(since -> resource.equals(wanted));
            }

            @Override
            public void subscribed(int master) {
                throw new AssertionError("there is no watch");
            }

            @Override
            public void subscriptionLost(int master, MonotonicTime since) {
                throw new AssertionError("there is no watch");
            }

            @Override
            public void announced(int master, Announcement announcement) {
                announced.add(announcement);
            }
        });
        return announced;
    }
}
