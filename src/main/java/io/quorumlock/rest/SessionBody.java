package io.quorumlock.rest;

import io.quorumlock.lock.Lease;
import io.quorumlock.session.SessionEndReason;
import io.quorumlock.session.SessionEvent;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** An event of a session after its lease, as JSON. {@code elapsedMs} counts from the request, as deadlines do. */
sealed interface SessionBody {

    record Extended(long fencingToken, long validityMs, long elapsedMs, String expiresAt, int extensionsLeft)
            implements SessionBody {
        static Extended of(SessionEvent.Extended news, Instant now) {
            Lease lease = news.lease();
            return new Extended(
                    lease.fence().number(),
                    lease.validity().toMillis(),
                    news.since().toMillis(),
                    now.plus(lease.validity()).truncatedTo(ChronoUnit.MILLIS).toString(),
                    lease.extensionsLeft());
        }
    }

    record Lost(String reason) implements SessionBody {
        static Lost of(SessionEvent.Lost news) {
            return new Lost(label(news.why()));
        }
    }

    record Ended(String reason, long validityMs, long elapsedMs) implements SessionBody {
        static Ended of(SessionEvent.Ended news) {
            return new Ended(
                    label(news.why()), news.left().toMillis(), news.since().toMillis());
        }
    }

    private static String label(SessionEndReason why) {
        return why.name().toLowerCase(Locale.ROOT);
    }
}
