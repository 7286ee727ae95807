// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.fleet;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One server of a store. It is asked for its state beside the calls for locks, which go to one server only. */
public interface PolledServer {

    /** Returns host and port, without credentials. */
    String address();

    /**
     * Asks for the state. Fails if there is no contact. Called on the event loop; may complete in any thread, or never.
     */
    CompletionStage<State> ask();

    /** Returns why the server must not be used although it answers. May be called from any thread. */
    Optional<String> refusal();

    /**
     * The state of a server.
     *
     * @param problem why it does not take part; empty if it does
     * @param role "leader", "follower" or another word of the store; empty if unknown
     * @param detail explains the problem to people
     */
    record State(Optional<ServerFailure> problem, Optional<String> role, Optional<String> detail) {
        public static State of(String role) {
            return new State(Optional.empty(), Optional.of(role), Optional.empty());
        }

        public static State of(ServerFailure problem, String detail) {
            return new State(Optional.of(problem), Optional.empty(), Optional.of(detail));
        }
    }
}
