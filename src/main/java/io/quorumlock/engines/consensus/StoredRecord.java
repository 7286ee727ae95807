// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.ResourceName;

/**
 * A record as one write left it.
 *
 * @param revision the number of that write: larger than that of every earlier write to the store, for ever
 * @param version the proof of having read this version, for later changes; only the store can read it
 */
public record StoredRecord(ResourceName name, String text, long revision, String version) {}
