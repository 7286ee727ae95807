package io.quorumlock.rest;

import io.quorumlock.lock.ResourceName;
import java.util.function.Predicate;

/**
 * Is what the reader of a stream asked to hear of.
 *
 * @param require throws the {@link ProblemException} of who may not hear of it, or may no longer
 */
record EventFilter(Predicate<ResourceName> wanted, Runnable require) {
    boolean isGranted() {
        try {
            require.run();
            return true;
        } catch (ProblemException refusal) {
            return false;
        }
    }
}
