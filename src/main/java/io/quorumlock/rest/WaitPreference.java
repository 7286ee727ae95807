// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The preferred wait of a client: {@code Prefer: wait=10}, in seconds (RFC 7240, section 4.3). Invalid preferences are
 * ignored, and the first of several counts.
 */
final class WaitPreference {
    private static final Pattern WAIT =
            Pattern.compile("(?:^|,)\\s*wait\\s*=\\s*\"?([^\",;]*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

    private WaitPreference() {}

    /** @param headers the values of the header Prefer */
    static Optional<Duration> read(List<String> headers) {
        if (headers.isEmpty()) {
            return Optional.empty();
        }
        return headers.stream()
                .map(WAIT::matcher)
                .filter(Matcher::find)
                .findFirst()
                .map(match -> match.group(1).strip())
                .filter(text -> SECONDS.matcher(text).matches())
                .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    }
}
