package io.quorumlock.lock;

/**
 * The number of votes behind an answer.
 *
 * @param granted nodes with a positive vote at the time of the answer; {@code granted - required} of them may lose
 *     their data without harm
 * @param required the quorum: a majority of the configured nodes (R1)
 * @param total the configured nodes
 */
public record Votes(int granted, int required, int total) {}
