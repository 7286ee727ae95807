// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.lock;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The resources of one lease, which are acquired all or none.
 *
 * @param list 1 to 32 different names, in the order of their texts
 */
public record ResourceNames(List<ResourceName> list) {
    public static final int MOST = 32;

    public ResourceNames {
        if (list.isEmpty() || list.size() > MOST) {
            throw new IllegalArgumentException("must have 1 to " + MOST + " names");
        }
        list = list.size() == 1 ? List.copyOf(list) : sorted(list);
    }

    private static List<ResourceName> sorted(List<ResourceName> names) {
        if (Set.copyOf(names).size() < names.size()) {
            throw new IllegalArgumentException("must not have a name twice");
        }
        return names.stream().sorted(Comparator.comparing(ResourceName::text)).toList();
    }

    public static ResourceNames of(ResourceName only) {
        return new ResourceNames(List.of(only));
    }

    /** Returns a text that marks the values of a lease of several resources; empty for one. */
    public String mark() {
        return count() == 1
                ? ""
                : "/" + count() + "." + Integer.toHexString(toString().hashCode());
    }

    public int count() {
        return list.size();
    }

    /** Returns the only name, or the first one. */
    public ResourceName first() {
        return list.get(0);
    }

    @Override
    public String toString() {
        return list.stream().map(ResourceName::text).collect(Collectors.joining(", "));
    }
}
