// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import io.quorumlock.core.lock.ResourceName;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The paths of the nodes: {@code root/bucket/name}, with the name in percent-encoding. ZooKeeper sends the names of all
 * children in one reply, so that the names of all locks are spread over many buckets.
 */
final class RecordPaths {
    private static final int BUCKETS = 1_024;
    /** A node beside the buckets. */
    static final String UPTIME = "uptime";

    private final String root;

    /** @param root an absolute path without a slash at the end */
    RecordPaths(String root) {
        this.root = root;
    }

    String root() {
        return root;
    }

    /** Returns the root and the nodes above it, from the top. */
    List<String> ancestors() {
        return IntStream.rangeClosed(1, root.length())
                .filter(end -> end == root.length() || root.charAt(end) == '/')
                .mapToObj(end -> root.substring(0, end))
                .toList();
    }

    List<String> buckets() {
        return IntStream.range(0, BUCKETS).mapToObj("%03x"::formatted).toList();
    }

    /** Returns the path of a node below the root. */
    String below(String name) {
        return root + "/" + name;
    }

    String of(ResourceName name) {
        String bucket = "%03x".formatted(Math.floorMod(name.text().hashCode(), BUCKETS));
        return below(bucket) + "/" + URLEncoder.encode(name.text(), StandardCharsets.UTF_8);
    }

    /** Returns the name of the node of a record; empty for other nodes. */
    Optional<ResourceName> nameOf(String path) {
        int bucket = root.length() + 1;
        int name = path.indexOf('/', bucket) + 1;
        boolean isRecord = name > bucket && path.indexOf('/', name) < 0;
        return isRecord ? ResourceName.decoded(path.substring(name)) : Optional.empty();
    }

    static List<ResourceName> decode(List<String> encoded) {
        return encoded.stream()
                .flatMap(name -> ResourceName.decoded(name).stream())
                .toList();
    }
}
