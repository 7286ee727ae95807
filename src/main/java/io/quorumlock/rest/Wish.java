package io.quorumlock.rest;

import io.quorumlock.lock.ResourceName;
import java.util.function.Predicate;

/**
 * Is what the reader of a stream asked to hear of.
 *
 * @param require throws the {@link Refusal} of who may not hear of it, or may no longer
 */
record Wish(Predicate<ResourceName> wanted, Runnable require) {
    boolean isGranted() {
        try {
            require.run();
            return true;
        } catch (Refusal refusal) {
            return false;
        }
    }
}
