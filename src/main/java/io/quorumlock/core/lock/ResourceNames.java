// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The resources of one lease, which are acquired all or none.
 *
 * @param list 1 to 32 different names, in the order of their texts
 */
public record ResourceNames(List<ResourceName> list) {
    public static final int MOST = 32;
    private static final int LONGEST_MARK = 1_024;
    private static final int HASH_BYTES = 16;
    private static final String NAMES = "=";
    private static final String SEPARATOR = ",";

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

    /**
     * Returns a text without spaces that marks the values of a lease of several resources; empty for one. It has their names,
     * or a hash if they are long, because each value has all of them.
     */
    public String mark() {
        if (count() == 1) {
            return "";
        }
        String names = list.stream().map(ResourceNames::encoded).collect(Collectors.joining(SEPARATOR));
        return "/" + count() + (names.length() <= LONGEST_MARK ? NAMES + names : "." + hash(names));
    }

    /** Returns the names in the mark of a lease; empty if it has none. */
    public static List<ResourceName> marked(String mark) {
        int start = mark.indexOf(NAMES) + 1;
        if (start == 0) {
            return List.of();
        }
        try {
            return Stream.of(mark.substring(start).split(SEPARATOR))
                    .map(name -> new ResourceName(URLDecoder.decode(name, StandardCharsets.UTF_8)))
                    .toList();
        } catch (IllegalArgumentException notOurs) {
            return List.of();
        }
    }

    private static String encoded(ResourceName name) {
        return URLEncoder.encode(name.text(), StandardCharsets.UTF_8).replace("%2F", "/");
    }

    /** Returns 128 bits of the SHA-256, so that no two sets have the same hash. */
    private static String hash(String names) {
        return HexFormat.of().formatHex(Sha256.of(names.getBytes(StandardCharsets.US_ASCII)), 0, HASH_BYTES);
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
