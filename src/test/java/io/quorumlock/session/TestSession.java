// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import static io.quorumlock.testing.FakeFleet.RESOURCE;

import io.quorumlock.lock.Lease;
import io.quorumlock.session.SessionEvent.SessionEndReason;
import io.quorumlock.session.Sessions.Opening;
import io.quorumlock.session.Sessions.SessionTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A client's view of one session. */
final class TestSession {
    /** The outcome of the opening and the events, in the order in which they arrived. */
    final List<Object> results = new ArrayList<>();

    private final CompletableFuture<Opening> opening;

    TestSession(Sessions sessions, SessionTerms terms) {
        opening = sessions.open(RESOURCE, terms, results::add);
        opening.thenAccept(results::add);
    }

    Object last() {
        return results.get(results.size() - 1);
    }

    Lease lease() {
        return ((Opening.Opened) results.get(0)).lease();
    }

    /** Ends the session, or the opening if there is no session yet. */
    void end(SessionEndReason why) {
        if (!opening.cancel(false) && opening.join() instanceof Opening.Opened opened) {
            opened.session().end(why);
        }
    }
}
