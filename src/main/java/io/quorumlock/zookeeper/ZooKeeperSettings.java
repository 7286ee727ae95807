// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.zookeeper;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;

/**
 * The settings of the connection.
 *
 * @param servers {@code host:port}, comma-separated
 * @param root the path of the node above all records
 * @param timeout of one call
 * @param sessionTimeout after this time without contact the client connects to another server
 */
public record ZooKeeperSettings(
        String servers, String root, Duration timeout, Duration sessionTimeout, Security security) {

    /** Returns who may read and change the nodes that this service creates. */
    List<ACL> acl() {
        return security.login().isPresent() ? Ids.CREATOR_ALL_ACL : Ids.OPEN_ACL_UNSAFE;
    }

    /**
     * The security of the connection, and of the nodes.
     *
     * @param login {@code user:password}; only this user may then read or change the nodes
     * @param caFile a PEM file with the certificates that sign those of the servers; empty for a connection without TLS
     * @param keyFile a PEM file with the certificate of the client and its key
     */
    public record Security(Optional<String> login, Optional<Path> caFile, Optional<Path> keyFile) {
        public static final Security NONE = new Security(Optional.empty(), Optional.empty(), Optional.empty());

        @Override
        public String toString() {
            return "Security[hidden]";
        }
    }
}
