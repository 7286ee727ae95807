// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.util.List;

/** The masters and replicas into which faults are injected, and their observer. */
record SystemUnderTest(Masters masters, List<ReplicaProcess> replicas, NodesPoller watch) {}
