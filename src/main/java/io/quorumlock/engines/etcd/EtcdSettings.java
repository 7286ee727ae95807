// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import io.quorumlock.core.fleet.Login;
import io.vertx.core.http.HttpClientOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of the connection.
 *
 * @param members the client addresses; at least one
 * @param root the beginning of the keys of all records, without a slash at the end
 * @param readOnly whether to write nothing
 * @param timeout of one call
 * @param login empty for a cluster without passwords
 * @param options of the connections, such as the certificates
 */
public record EtcdSettings(
        List<MemberAddress> members,
        String root,
        boolean readOnly,
        Duration timeout,
        Optional<Login> login,
        HttpClientOptions options) {}
