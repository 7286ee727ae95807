// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

/** A point in time that is this many ms after another. */
record Deadline(Moment start, long length) {
    long left() {
        return length - start.age();
    }
}
