// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Promise;

/** A value measured outside the calls, and its maximum. */
record Observation(Promise promise, String what, long value, long most) implements HistoryLine {
    boolean isGood() {
        return value <= most;
    }
}
