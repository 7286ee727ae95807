// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.events.Announcements.Announcement;
import io.quorumlock.events.LockWatch.LockEvent;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The parser of announcements by the scripts: {@code kind fence left bytes key owner}. The key has {@code bytes} bytes,
 * and the owner follows it without a space.
 */
final class AnnouncementText {
    private static final int FIELDS = 5;

    private final KeyPrefixes keys;

    AnnouncementText(KeyPrefixes keys) {
        this.keys = keys;
    }

    /** Parses a message; empty if no script of this service wrote it, because any client can publish. */
    Optional<Announcement> read(byte[] message) {
        try {
            String[] fields = new String(message, StandardCharsets.ISO_8859_1).split(" ", FIELDS);
            return fields.length < FIELDS ? Optional.empty() : read(fields);
        } catch (IllegalArgumentException | IndexOutOfBoundsException unreadable) {
            return Optional.empty();
        }
    }

    private Optional<Announcement> read(String[] fields) {
        int bytes = Integer.parseInt(fields[3]);
        String key = utf8(fields[4].substring(0, bytes));
        String owner = utf8(fields[4].substring(bytes));
        if (!key.startsWith(keys.lock())) {
            return Optional.empty();
        }
        return Optional.of(new Announcement(
                LockEvent.Kind.valueOf(fields[0].toUpperCase(Locale.ROOT)),
                new ResourceName(key.substring(keys.lock().length())),
                owner.isEmpty() ? Optional.empty() : Optional.of(new Owner(owner)),
                new FencingToken(Long.parseLong(fields[1])),
                Duration.ofMillis(Long.parseLong(fields[2]))));
    }

    private static String utf8(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
