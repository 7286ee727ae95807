// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.zookeeper.ClientCnxnSocketNetty;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;

/**
 * The settings of the connection.
 *
 * @param servers {@code host:port}, comma-separated
 * @param root the path of the node above all records
 * @param readOnly whether to create no nodes
 * @param timeout of one call
 * @param sessionTimeout after this time without contact the client connects to another server
 */
public record ZooKeeperSettings(
        String servers, String root, boolean readOnly, Duration timeout, Duration sessionTimeout, Security security) {
    private static final Pattern SERVER =
            Pattern.compile("(\\[[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(%[\\w.-]+)?]|[^\\s,/:@?#\\[\\]]+)(:0*[1-9][0-9]*)?");

    /** Returns whether the text is a list of servers. The client library allows more, for example a path at its end. */
    public static boolean areServers(String text) {
        try {
            new ConnectStringParser(text); // It checks the largest port.
            return Stream.of(text.split(",", -1))
                    .allMatch(server -> SERVER.matcher(server).matches());
        } catch (IllegalArgumentException wrong) {
            return false;
        }
    }

    /** Begins a session. Does not wait for the connection. */
    ZooKeeper connect(String someServers, Duration patience, Watcher watcher) throws IOException {
        ZooKeeper session = new ZooKeeper(someServers, (int) patience.toMillis(), watcher, security.config());
        security.login().ifPresent(login -> session.addAuthInfo("digest", login.getBytes(StandardCharsets.UTF_8)));
        return session;
    }

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
        private static final String PEM = "PEM";
        /** In bytes. The default of 1 MB is less than the names of a bucket can have. Servers do not limit replies. */
        private static final int LONGEST_REPLY = 64 * 1024 * 1024;

        public static final Security NONE = new Security(Optional.empty(), Optional.empty(), Optional.empty());

        /** Returns the settings of the client library. */
        ZKClientConfig config() {
            ZKClientConfig config = new ZKClientConfig();
            config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, Boolean.FALSE.toString());
            config.setProperty(ZKConfig.JUTE_MAXBUFFER, Integer.toString(LONGEST_REPLY));
            caFile.ifPresent(file -> {
                config.setProperty(ZKClientConfig.SECURE_CLIENT, Boolean.TRUE.toString());
                config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNetty.class.getName());
                config.setProperty("zookeeper.ssl.trustStore.location", file.toString());
                config.setProperty("zookeeper.ssl.trustStore.type", PEM);
            });
            keyFile.ifPresent(file -> {
                config.setProperty("zookeeper.ssl.keyStore.location", file.toString());
                config.setProperty("zookeeper.ssl.keyStore.type", PEM);
            });
            return config;
        }

        @Override
        public String toString() {
            return "Security[hidden]";
        }
    }
}
