package io.quorumlock.redlock;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import java.util.Optional;

/** The names to scan: those with a prefix, after one name and before another. */
public record NameRange(ResourcePrefix prefix, Optional<ResourceName> after, Optional<ResourceName> before) {

    /** Returns whether the text, which need not be a valid name, is in this range. */
    public boolean contains(String text) {
        return prefix.begins(text)
                && (after.isEmpty() || after.get().text().compareTo(text) < 0)
                && (before.isEmpty() || before.get().text().compareTo(text) > 0);
    }
}
