// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.lock.Announcements.Announcement;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LockEventKind;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parser of announcements by the scripts: {@code kind fence left bytes key owner}. The key has {@code bytes} bytes,
 * and the owner follows it without a space. After the kind of event follows that of the lock, as in its value: for example
 * {@code acquired/slots4.2}.
 */
final class AnnouncementText {
    private static final int FIELDS = 5;
    private static final Pattern KINDS = Pattern.compile("([a-z]+)(/shared|/slots\\d+)?(?:\\.(\\d+))?");

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
        Matcher kinds = KINDS.matcher(fields[0]);
        if (!kinds.matches()) {
            return Optional.empty();
        }
        return Optional.of(new Announcement(
                LockEventKind.valueOf(kinds.group(1).toUpperCase(Locale.ROOT)),
                new ResourceName(key.substring(keys.lock().length())),
                owner.isEmpty() ? Optional.empty() : Optional.of(new Owner(owner)),
                new FencingToken(Long.parseLong(fields[1])),
                Duration.ofMillis(Long.parseLong(fields[2])),
                Optional.ofNullable(kinds.group(2)).map(LockValue::kindNamed).orElse(LockKind.EXCLUSIVE),
                Optional.ofNullable(kinds.group(3)).map(Integer::valueOf)));
    }

    private static String utf8(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
