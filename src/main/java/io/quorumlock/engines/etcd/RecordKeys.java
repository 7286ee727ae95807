// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import com.google.protobuf.ByteString;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordStore.StoredUptime;
import io.quorumlock.engines.consensus.StoredRecord;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The keys of the records, {@code root/name}. */
final class RecordKeys {
    /** Field of the answer of a transaction, and of each in it. */
    static final int RESPONSES = 3;

    private static final int RESPONSE_RANGE = 1;
    /** Field of the answer of a range. */
    private static final int KVS = 2;

    private static final int KEY = 1;
    private static final int MOD_REVISION = 3;
    private static final int VALUE = 5;

    private final String begin;
    private final ByteString end;

    /** @param root without a slash at the end */
    RecordKeys(String root) {
        this.begin = root + "/";
        // A zero follows the slash.
        this.end = ByteString.copyFromUtf8(root + "0");
    }

    ByteString of(ResourceName name) {
        return ByteString.copyFromUtf8(begin + name.text());
    }

    /** Returns the key of the layout, which is the first one: no name is empty. */
    ByteString layout() {
        return first(Optional.empty());
    }

    /** Returns the key of the uptime, which is none of a record: no name begins with a slash. */
    ByteString uptime() {
        return ByteString.copyFromUtf8(begin + "/uptime");
    }

    /** Returns the first key of a range: of all names, or of those after one. */
    ByteString first(Optional<ResourceName> after) {
        return ByteString.copyFromUtf8(
                begin + after.map(name -> name.text() + "\0").orElse(""));
    }

    /** Returns the end of the range of all names, which is after each of them. */
    ByteString end() {
        return end;
    }

    /** Returns the name of a record; empty if another program chose its key. */
    Optional<ResourceName> nameOf(Message keyValue) {
        try {
            return Optional.of(new ResourceName(keyValue.text(KEY).substring(begin.length())));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    /** Returns the revision of the last change of a key. */
    static long revision(Message keyValue) {
        return keyValue.number(MOD_REVISION);
    }

    /** Returns the records in the answer of a transaction that has a range for each of them. */
    static List<Optional<StoredRecord>> found(List<ResourceName> names, Message answer) {
        List<Message> ranges = answer.messages(RESPONSES);
        return IntStream.range(0, names.size())
                .mapToObj(i -> ranges.get(i).message(RESPONSE_RANGE).messages(KVS).stream()
                        .findFirst()
                        .map(found -> record(names.get(i), found)))
                .toList();
    }

    /** Returns the text of the only key that was read; empty if there is none. */
    static Optional<String> text(Message range) {
        return range.messages(KVS).stream().findFirst().map(keyValue -> keyValue.text(VALUE));
    }

    /** Returns the uptime that was read. */
    static StoredUptime uptime(Message range) {
        return range.messages(KVS).stream()
                .findFirst()
                .map(keyValue -> new StoredUptime(keyValue.text(VALUE), revision(keyValue), revision(keyValue)))
                .orElse(new StoredUptime("", 0, 0));
    }

    /** Returns the text of the key that the first operation of a transaction read. */
    static Optional<String> textInAnswer(Message answer) {
        return text(answer.messages(RESPONSES).get(0).message(RESPONSE_RANGE));
    }

    static StoredRecord record(ResourceName name, Message keyValue) {
        return record(name, keyValue.text(VALUE), revision(keyValue));
    }

    /** Returns a record. No revision of the store is used twice for a key, so it proves the version. */
    static StoredRecord record(ResourceName name, String text, long revision) {
        return new StoredRecord(name, text, revision, Long.toString(revision));
    }
}
