// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.zookeeper;

import java.time.Duration;

/**
 * The settings of the connection.
 *
 * @param servers {@code host:port}, comma-separated
 * @param root the path of the node above all records
 * @param timeout of one call
 * @param sessionTimeout after this time without contact the client connects to another server
 */
public record ZooKeeperSettings(String servers, String root, Duration timeout, Duration sessionTimeout) {}
