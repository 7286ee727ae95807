// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.features.sessions.SessionClient;
import io.quorumlock.features.sessions.SessionClient.SessionEndReason;
import java.time.Duration;
import java.util.function.Consumer;

/** An event that a {@link SessionClient} received, as a value. */
public sealed interface SessionEvent {

    record Began(Lease lease) implements SessionEvent {}

    record Refused(Acquisition why) implements SessionEvent {}

    record Failed(Throwable bug) implements SessionEvent {}

    record Extended(Lease lease, Duration since) implements SessionEvent {}

    record Lost(SessionEndReason why) implements SessionEvent {}

    record Ended(SessionEndReason why, Duration since, Duration left) implements SessionEvent {}

    /** Returns a client that passes its events on. */
    static SessionClient client(Consumer<? super SessionEvent> events) {
        return new SessionClient() {
            @Override
            public void began(Lease lease) {
                events.accept(new Began(lease));
            }

            @Override
            public void refused(Acquisition why) {
                events.accept(new Refused(why));
            }

            @Override
            public void failed(Throwable bug) {
                events.accept(new Failed(bug));
            }

            @Override
            public void extended(Lease lease, Duration since) {
                events.accept(new Extended(lease, since));
            }

            @Override
            public void lost(SessionEndReason why) {
                events.accept(new Lost(why));
            }

            @Override
            public void ended(SessionEndReason why, Duration since, Duration left) {
                events.accept(new Ended(why, since, left));
            }
        };
    }
}
