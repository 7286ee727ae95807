package io.quorumlock.tracing;

/**
 * Is what tells this process from others in a collector.
 *
 * @param id never that of any other process
 */
public record Replica(String version, String id) {}
