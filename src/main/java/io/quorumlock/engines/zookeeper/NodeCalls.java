// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * The calls of one session that prepare it.
 *
 * @param acl of created nodes
 */
record NodeCalls(ZooKeeper client, List<ACL> acl) {

    /** A node as it was read. */
    record Node(byte[] data, Stat stat) {}

    /** Starts all calls at once. */
    static <T> CompletableFuture<Void> all(List<T> targets, Function<T, CompletableFuture<Void>> call) {
        return CompletableFuture.allOf(targets.stream().map(call).toArray(CompletableFuture[]::new));
    }

    /** Needs at most the right to read if the node exists. */
    CompletableFuture<Void> createIfMissing(String path, byte[] data) {
        CompletableFuture<Boolean> exists = new CompletableFuture<>();
        client.exists(
                path,
                false,
                (code, node, context, stat) -> complete(exists, code, Code.NONODE, node, stat != null),
                null);
        return exists.thenCompose(found -> found ? CompletableFuture.completedFuture(null) : create(path, data));
    }

    /** Creates a node, unless it exists. */
    CompletableFuture<Void> create(String path, byte[] data) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        client.create(
                path,
                data,
                acl,
                CreateMode.PERSISTENT,
                (code, node, context, name) -> complete(done, code, Code.NODEEXISTS, node, null),
                null);
        return done;
    }

    /** Reads a node; empty if it does not exist. The server may be behind the leader, so that it first waits for it. */
    CompletableFuture<Optional<Node>> read(String path) {
        CompletableFuture<Optional<Node>> read = new CompletableFuture<>();
        client.sync(path, (code, node, context) -> {}, null);
        client.getData(
                path,
                false,
                (code, node, context, data, stat) -> complete(
                        read, code, Code.NONODE, node, Optional.ofNullable(stat).map(known -> new Node(data, known))),
                null);
        return read;
    }

    /** Writes data, if the node is still the version that was read. */
    CompletableFuture<Void> write(String path, byte[] data, int version) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        client.setData(
                path, data, version, (code, node, context, stat) -> complete(done, code, Code.OK, node, null), null);
        return done;
    }

    CompletableFuture<Void> watchBelow(String path) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        client.addWatch(
                path,
                AddWatchMode.PERSISTENT_RECURSIVE,
                (code, node, context) -> complete(done, code, Code.OK, node, null),
                null);
        return done;
    }

    /** Returns the names of the children of a node; none if it does not exist. */
    CompletableFuture<List<String>> children(String path) {
        CompletableFuture<List<String>> found = new CompletableFuture<>();
        client.getChildren(
                path,
                false,
                (code, node, context, children) ->
                        complete(found, code, Code.NONODE, node, children == null ? List.of() : children),
                null);
        return found;
    }

    /** @param expected a code that is no failure either */
    private static <T> void complete(CompletableFuture<T> answer, int code, Code expected, String path, T value) {
        if (code == Code.OK.intValue() || code == expected.intValue()) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(failure(code, path));
        }
    }

    /** The client library creates exceptions only for the codes that it knows. */
    static Exception failure(int code, String path) {
        return Stream.of(Code.values())
                .filter(known -> known.intValue() == code)
                .findFirst()
                .<Exception>map(known -> KeeperException.create(known, path))
                .orElseGet(() -> new IllegalStateException("error " + code + " for " + path));
    }
}
