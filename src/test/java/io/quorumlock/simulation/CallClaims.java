// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Claim;
import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Lease;
import io.quorumlock.testing.SessionEvent;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The claims of a call: each from its answer until {@code sent + waited + ttl - drift}, or until it is given up. */
final class CallClaims {
    private CallClaims() {}

    /**
     * A claim that nobody has given up.
     *
     * @param asked the earliest time at which its votes were requested
     */
    private record Whole(long asked, long from, long until) {}

    /** Returns the claims of a call. A lease that ended before the answer arrived has no claim. */
    static List<Claim<Call>> of(Call call, Endings endings) {
        return (call.kind == Call.Kind.SESSION ? ofSession(call) : ofAnswer(call))
                .flatMap(whole -> new Claim<>(call, call.resource, call.token, whole.from, whole.until)
                        .endingBy(endings.of(call, whole.asked)).stream())
                .toList();
    }

    private static Stream<Whole> ofAnswer(Call call) {
        return call.lease().map(lease -> new Whole(call.invoked, call.returned, end(call, lease))).stream();
    }

    private static Stream<Whole> ofSession(Call call) {
        return call.news.stream().flatMap(news -> ofNews(call, news));
    }

    private static Stream<Whole> ofNews(Call call, Call.News news) {
        if (news.what() instanceof SessionEvent.Began begun) {
            Lease lease = begun.lease();
            Duration length = lease.waited().plus(lease.elapsed()).plus(lease.validity());
            return Stream.of(new Whole(call.invoked, news.heard(), call.invoked + length.toNanos()));
        }
        if (news.what() instanceof SessionEvent.Extended extended) {
            Lease lease = extended.lease();
            long until =
                    call.invoked + passed(extended.since()) + lease.validity().toNanos();
            return Stream.of(new Whole(news.asked(), news.heard(), until));
        }
        if (news.what() instanceof SessionEvent.Ended ended) {
            long until = call.invoked + passed(ended.since()) + ended.left().toNanos();
            return Stream.of(new Whole(call.invoked, news.heard(), until));
        }
        return Stream.empty();
    }

    /**
     * Converts a duration of a session, measured by the replica's clock. The client subtracts the possible difference
     * of two clocks.
     */
    private static long passed(Duration since) {
        return (long) (since.toNanos() * (1 - Scale.DRIFT.factor()));
    }

    /** A replay has the remaining time of an earlier grant. A waiter can have votes of an earlier attempt. */
    private static long end(Call call, Lease lease) {
        boolean whole = call.patience.isZero() && !(call.outcome.orElseThrow() instanceof Acquisition.Replayed);
        Duration length =
                !whole ? lease.validity().plus(lease.elapsed()) : lease.ttl().minus(Scale.DRIFT.of(lease.ttl()));
        return call.invoked + (long) (lease.waited().plus(length).toNanos() / call.clockRate);
    }
}
