package io.quorumlock.redlock;

import java.util.Optional;

/**
 * Is one step through the locks of one node.
 *
 * @param from what the step before answered, for its own node to understand; empty for the first
 */
public record ScanStep(NameRange range, Optional<String> from) {}
