package io.quorumlock.redlock;

import java.util.Optional;

/**
 * One step of a scan of one node.
 *
 * @param from the cursor that the same node returned from the previous step; empty for the first
 */
public record ScanStep(NameRange range, Optional<String> from) {}
