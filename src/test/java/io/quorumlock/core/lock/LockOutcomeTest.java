// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.Release.Holder;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LockOutcomeTest {

    @Test
    void labelsOutcomesByKind() {
        assertEquals("token_in_use", new Acquisition.TokenInUse().label());
        assertEquals("broken", new ForcedRelease.Broken(Optional.empty()).label());
    }

    @Test
    void labelsLostLeasesByTheNewHolder() {
        assertEquals("not_owner", new Extension.Lost(Holder.ANOTHER, Optional.empty()).label());
        assertEquals("lost", new Release.NotHeld(Holder.NOBODY, Optional.empty()).label());
    }
}
