package io.quorumlock.redlock;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import java.util.Optional;

/** Is the names that a scan is for: those with a prefix, after one name and before another. */
public record NameRange(ResourcePrefix prefix, Optional<ResourceName> after, Optional<ResourceName> before) {

    /** Says whether what may be a name is in it. */
    public boolean contains(String text) {
        return prefix.begins(text)
                && (after.isEmpty() || after.get().text().compareTo(text) < 0)
                && (before.isEmpty() || before.get().text().compareTo(text) > 0);
    }
}
