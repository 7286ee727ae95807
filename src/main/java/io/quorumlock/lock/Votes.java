package io.quorumlock.lock;

/**
 * Counts the nodes behind an answer.
 *
 * @param granted nodes that had said yes when the answer was given; with {@code k} votes, {@code k - required} nodes may
 *     forget without harm
 * @param required the quorum: a majority of the configured nodes (R1)
 * @param total the configured nodes
 */
public record Votes(int granted, int required, int total) {}
