// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.sessions;

import static io.quorumlock.testing.FakeFleet.RESOURCE;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.features.sessions.SessionClient.SessionEndReason;
import io.quorumlock.testing.SessionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A client's view of one session. */
final class TestSession {
    final List<SessionEvent> events = new ArrayList<>();

    private final Consumer<SessionEndReason> end;

    TestSession(Sessions sessions, AcquireTerms terms) {
        end = sessions.open(RESOURCE, terms, SessionEvent.client(events::add));
    }

    SessionEvent last() {
        return events.get(events.size() - 1);
    }

    List<Class<?>> kinds() {
        List<Class<?>> kinds = new ArrayList<>();
        events.forEach(event -> kinds.add(event.getClass()));
        return kinds;
    }

    Lease lease() {
        return ((SessionEvent.Began) events.get(0)).lease();
    }

    void end(SessionEndReason why) {
        end.accept(why);
    }
}
