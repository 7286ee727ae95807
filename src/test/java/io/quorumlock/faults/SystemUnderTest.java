// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.util.List;

/** The servers and replicas into which faults are injected, and their observer. */
record SystemUnderTest(Servers servers, List<ReplicaProcess> replicas, NodesPoller watch) {}
