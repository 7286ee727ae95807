// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

/** The end of a complete file, with the number of lines before it. */
record HistoryEnd(String process, long lines) implements HistoryLine {}
