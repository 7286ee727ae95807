// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.util.Optional;

/** An executable fault, whose cause can be removed. */
interface Injury {
    void begin();

    void end();

    /** Returns evidence of its effect; empty as long as there is none. */
    Optional<String> evidence();

    /** Returns whether the victim has recovered, as far as this is visible. */
    boolean isOver();
}
