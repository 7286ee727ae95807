package io.quorumlock.simulation;

import io.quorumlock.lock.Acquisition;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Lease;
import io.quorumlock.session.SessionEvent;
import io.quorumlock.session.Sessions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The time in which a client may rely on a lease, by one answer: from the answer until
 * {@code sent + waited + ttl - drift}.
 *
 * @param asked the earliest time at which its votes were requested
 */
record Claim(Call call, long asked, long from, long until) {
    /** Returns the claims of a call. A lease that ended before the answer arrived has no claim. */
    static List<Claim> of(Call call, Endings endings) {
        return (call.kind == Call.Kind.SESSION ? ofSession(call) : ofAnswer(call))
                .map(claim -> claim.endingBy(endings.of(call, claim.asked)))
                .filter(claim -> claim.from < claim.until)
                .toList();
    }

    static Optional<Lease> lease(Call call) {
        Object outcome = call.outcome.orElse(null);
        if (outcome instanceof Acquisition.Acquired acquired) {
            return Optional.of(acquired.lease());
        }
        if (outcome instanceof Acquisition.Replayed replayed) {
            return Optional.of(replayed.lease());
        }
        if (outcome instanceof Sessions.Opening.Opened begun) {
            return Optional.of(begun.lease());
        }
        return outcome instanceof Extension.Extended extended ? Optional.of(extended.lease()) : Optional.empty();
    }

    private Claim endingBy(long end) {
        return new Claim(call, asked, from, Math.min(until, end));
    }

    private static Stream<Claim> ofAnswer(Call call) {
        return lease(call).map(lease -> new Claim(call, call.invoked, call.returned, end(call, lease))).stream();
    }

    private static Stream<Claim> ofSession(Call call) {
        return call.news.stream().flatMap(news -> ofNews(call, news));
    }

    private static Stream<Claim> ofNews(Call call, Call.News news) {
        if (news.what() instanceof Sessions.Opening.Opened begun) {
            Lease lease = begun.lease();
            Duration length = lease.waited().plus(lease.elapsed()).plus(lease.validity());
            return Stream.of(new Claim(call, call.invoked, news.heard(), call.invoked + length.toNanos()));
        }
        if (news.what() instanceof SessionEvent.Extended extended) {
            Lease lease = extended.lease();
            long until =
                    call.invoked + passed(extended.since()) + lease.validity().toNanos();
            return Stream.of(new Claim(call, news.asked(), news.heard(), until));
        }
        if (news.what() instanceof SessionEvent.Ended ended) {
            long until = call.invoked + passed(ended.since()) + ended.left().toNanos();
            return Stream.of(new Claim(call, call.invoked, news.heard(), until));
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
