// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.StoredRecord;
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
 */
record NodeChange(Change change, String child, List<Op> operations) {
    private static final byte[] NO_DATA = {};
    private static final int ANY_VERSION = -1;

    /** @param unused a name that no child had before */
    static NodeChange of(Change change, RecordPaths paths, String unused, List<ACL> acl) {
        String path = paths.of(change.name());
        Optional<Version> version = change.read().map(Version::parse);
        String child = version.map(Version::child).orElse(unused);
        Optional<byte[]> data = change.text().map(text -> data(child, text));
        List<Op> operations = version.map(known ->
                        data.map(written -> replace(path, known, written)).orElseGet(() -> delete(path, known)))
                .orElseGet(() -> create(path, child, data.orElseThrow(), acl));
        return new NodeChange(change, child, operations);
    }

    /**
     * The reply to a create in a transaction does not contain the number of the write, but that to a write of data
     * does.
     */
    private static List<Op> create(String path, String child, byte[] data, List<ACL> acl) {
        return List.of(
                Op.create(path, NO_DATA, acl, CreateMode.PERSISTENT),
                Op.create(path + "/" + child, NO_DATA, acl, CreateMode.PERSISTENT),
                Op.setData(path, data, 0));
    }

    private static List<Op> replace(String path, Version version, byte[] data) {
        return List.of(Op.check(path + "/" + version.child(), ANY_VERSION), Op.setData(path, data, version.number()));
    }

    private static List<Op> delete(String path, Version version) {
        return List.of(Op.delete(path + "/" + version.child(), ANY_VERSION), Op.delete(path, version.number()));
    }

    private static byte[] data(String child, String text) {
        return (child + " " + text).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the record that was written, from the results of the operations; empty after a delete. */
    Optional<StoredRecord> written(List<OpResult> results) {
        return change.text().map(some -> {
            Stat stat = ((SetDataResult) results.get(results.size() - 1)).getStat();
            return record(change.name(), child, some, stat);
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
