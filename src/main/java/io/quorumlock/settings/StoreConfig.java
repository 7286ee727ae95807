// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings of stores, part of {@link QuorumlockConfig}. */
public interface StoreConfig {
    interface ZooKeeper {
        /** The servers of the ensemble, comma-separated: {@code host[:port]}. */
        Optional<String> servers();

        /** The path of the node above all records. Services with other locks need another one. */
        @WithDefault("/quorumlock")
        String root();

        /** The timeout of each call to the ensemble. */
        @WithDefault("1s")
        @WithConverter(DurationWithUnit.class)
        Duration timeout();

        /** After this time without contact to a server, the session may end, and another server is used. */
        @WithDefault("6s")
        @WithConverter(DurationWithUnit.class)
        Duration sessionTimeout();

        /** The user that alone may read and change the locks. */
        Optional<String> user();

        /** The password of the user. */
        Optional<String> password();

        /** A PEM file with the certificates that sign those of the servers. Turns TLS on. */
        Optional<Path> caFile();

        /** A PEM file with the client certificate and its key, if the servers ask for one. */
        Optional<Path> keyFile();
    }

    interface Cluster {
        /** The folder in which this process keeps the locks, without other servers. */
        Optional<Path> data();

        /** The members, if there are several: {@code host[:client-port:peer-port:election-port]}, comma-separated. */
        Optional<String> members();

        /** The host of this member, with {@code :client-port} if several have it. By default the name of this machine. */
        Optional<String> self();

        /** The beginning of a new cluster, in seconds since 1970. Within an hour of it, members begin with empty folders. */
        Optional<Long> founded();
    }

    interface Etcd {
        /** The client addresses of the members, comma-separated: {@code http[s]://host[:port]}. */
        Optional<List<String>> servers();

        /** The beginning of the keys of all records. Services with other locks need another one. */
        @WithDefault("/quorumlock")
        String root();

        /** The timeout of each call to the cluster. */
        @WithDefault("1s")
        @WithConverter(DurationWithUnit.class)
        Duration timeout();

        /** The user, if the cluster needs one. */
        Optional<String> user();

        /** The password of the user. */
        Optional<String> password();

        /** A PEM file with the certificates that sign those of the members. Not set: those of the JVM. */
        Optional<Path> caFile();

        /** A PEM file with the client certificate, if the cluster needs one. */
        Optional<Path> certFile();

        /** A PEM file with the key of the client certificate. */
        Optional<Path> keyFile();
    }
}
