// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.Announcements.Announcement;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LockEventKind;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnnouncementTextTest {
    private final AnnouncementText text = new AnnouncementText(new KeyPrefixes("lock:", "fence:"));

    @Test
    void parsesNamesAndOwnersWithSpaces() {
        Announcement announcement = new Announcement(
                LockEventKind.EXTENDED,
                new ResourceName("a b/ü"),
                Optional.of(new Owner("wörker 1")),
                new FencingToken(7),
                Duration.ofMillis(500),
                LockKind.ofSlots(4),
                Optional.of(2));
        assertEquals(Optional.of(announcement), read("extended/slots4.2 7 500 11 lock:a b/üwörker 1"));
    }

    @Test
    void parsesKindOfLock() {
        assertEquals(
                LockKind.SHARED,
                read("expired/shared 7 0 6 lock:a").orElseThrow().lockKind());
        assertEquals(
                LockKind.EXCLUSIVE, read("expired 7 0 6 lock:a").orElseThrow().lockKind());
    }

    @Test
    void parsesAnnouncementWithoutOwner() {
        assertEquals(
                Optional.empty(), read("released 7 0 6 lock:a").orElseThrow().owner());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "acquired",
                "acquired 1 1 6 ",
                "acquired 1 1 7 lock:a",
                "acquired 1 1 -1 lock:a",
                "acquired 1 1 x lock:a",
                "acquired 0 1 6 lock:a",
                "acquired x 1 6 lock:a",
                "acquired 1 x 6 lock:a",
                "stolen 1 1 6 lock:a",
                "acquired/other 1 1 6 lock:a",
                "acquired 1 1 6 lokk:a",
                "acquired 1 1 5 lock:",
                "acquired 1 1 7 lock:/a",
                "acquired 1 1 6 lock:a\n"
            })
    void ignoresForeignMessages(String message) {
        assertEquals(Optional.empty(), read(message));
    }

    private Optional<Announcement> read(String message) {
        return text.read(message.getBytes(StandardCharsets.UTF_8));
    }
}
