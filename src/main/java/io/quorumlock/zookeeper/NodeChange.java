// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.zookeeper;

import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.consensus.StoredRecord;
import io.quorumlock.lock.ResourceName;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.SetDataResult;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * The operations of one change. A node that was deleted and created again begins again with version 0. Therefore each
 * node has a child with a name that is never used again, and every change needs both the child and the version. The
 * data begins with the name of the child.
 *
 * @param text empty for a delete
 */
record NodeChange(ResourceName name, String child, Optional<String> text, List<Op> operations) {
    private static final byte[] NO_DATA = {};
    private static final int ANY_VERSION = -1;

    /** @param unused a name that no child had before */
    static NodeChange of(Change change, RecordPaths paths, String unused, List<ACL> acl) {
        if (change instanceof Change.Create create) {
            return create(create, paths.of(create.name()), unused, acl);
        } else if (change instanceof Change.Replace replace) {
            return replace(replace, paths.of(replace.read().name()), Version.parse(replace.read()));
        }
        Change.Delete delete = (Change.Delete) change;
        return delete(delete, paths.of(delete.read().name()), Version.parse(delete.read()));
    }

    /**
     * The reply to a create in a transaction does not contain the number of the write, but that to a write of data
     * does.
     */
    private static NodeChange create(Change.Create create, String path, String child, List<ACL> acl) {
        return new NodeChange(
                create.name(),
                child,
                Optional.of(create.text()),
                List.of(
                        Op.create(path, NO_DATA, acl, CreateMode.PERSISTENT),
                        Op.create(path + "/" + child, NO_DATA, acl, CreateMode.PERSISTENT),
                        Op.setData(path, data(child, create.text()), 0)));
    }

    private static NodeChange replace(Change.Replace replace, String path, Version version) {
        return new NodeChange(
                replace.read().name(),
                version.child(),
                Optional.of(replace.text()),
                List.of(
                        Op.check(path + "/" + version.child(), ANY_VERSION),
                        Op.setData(path, data(version.child(), replace.text()), version.number())));
    }

    private static NodeChange delete(Change.Delete delete, String path, Version version) {
        return new NodeChange(
                delete.read().name(),
                version.child(),
                Optional.empty(),
                List.of(Op.delete(path + "/" + version.child(), ANY_VERSION), Op.delete(path, version.number())));
    }

    private static byte[] data(String child, String text) {
        return (child + " " + text).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the record that was written, from the results of the operations; empty after a delete. */
    Optional<StoredRecord> written(List<OpResult> results) {
        return text.map(some -> {
            Stat stat = ((SetDataResult) results.get(results.size() - 1)).getStat();
            return record(name, child, some, stat);
        });
    }

    /** Returns the record of a node that was read. */
    static StoredRecord read(ResourceName name, byte[] data, Stat stat) {
        String[] fields = new String(data, StandardCharsets.UTF_8).split(" ", 2);
        return record(name, fields[0], fields.length > 1 ? fields[1] : "", stat);
    }

    private static StoredRecord record(ResourceName name, String child, String text, Stat stat) {
        return new StoredRecord(name, text, stat.getMzxid(), new Version(child, stat.getVersion()).text());
    }

    /** The version of a node, which is never used twice. */
    private record Version(String child, int number) {
        String text() {
            return number + " " + child;
        }

        static Version parse(StoredRecord read) {
            String[] fields = read.version().split(" ", 2);
            return new Version(fields[1], Integer.parseInt(fields[0]));
        }
    }
}
