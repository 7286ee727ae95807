// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.Limits;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.session.Sessions.SessionTerms;
import io.quorumlock.session.Sessions.SessionTerms.WhenGone;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A validated request for a session. */
record SessionRequest(AcquireRequest acquire, SessionTerms terms) {
    private static final String BEAT = "beatMs";
    private static final String WHEN_GONE = "whenGone";
    private static final Set<String> FIELDS = fields();

    /** Shorter ones would mistake a busy machine for a client that is gone. */
    private static final Duration SHORTEST_BEAT = Duration.ofSeconds(1);

    private static final Duration LONGEST_BEAT = Duration.ofMinutes(1);

    private static Set<String> fields() {
        Set<String> fields = new HashSet<>(AcquireRequest.FIELDS);
        fields.add(BEAT);
        fields.add(WHEN_GONE);
        return Set.copyOf(fields);
    }

    static SessionRequest read(
            ResourceName resource, RequestParameters fields, Optional<Duration> preference, Limits limits) {
        fields.only(FIELDS);
        Duration beat = fields.millis(BEAT, Duration.ZERO, SHORTEST_BEAT, LONGEST_BEAT);
        WhenGone whenGone =
                fields.converted(WHEN_GONE, SessionRequest::whenGone).orElse(WhenGone.EXPIRE);
        AcquireRequest acquire = AcquireRequest.readKnown(resource, fields, preference, limits);
        Optional<Duration> asked = fields.has(BEAT) ? Optional.of(beat) : Optional.empty();
        return new SessionRequest(acquire, new SessionTerms(acquire.terms(), asked, whenGone));
    }

    private static WhenGone whenGone(String text) {
        return Arrays.stream(WhenGone.values())
                .filter(value -> value.name().toLowerCase(Locale.ROOT).equals(text))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("must be \"expire\" or \"release\""));
    }
}
