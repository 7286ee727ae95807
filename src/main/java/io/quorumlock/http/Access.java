// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.core.lock.ResourcePrefix;
import io.quorumlock.http.keys.Caller;
import io.quorumlock.http.keys.Caller.PlacePermission;
import io.quorumlock.http.keys.KeyId;
import io.quorumlock.http.keys.RefusalReason;
import io.quorumlock.http.keys.Verb;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** The permissions of one request. A call without permission ends the request with a problem document. */
public record Access(Caller caller, Consumer<RefusalReason> refusals) {
    private static final String KEY = "quorumlock.access";

    /** Keeps the permissions with the request. */
    void attach(RoutingContext request) {
        request.put(KEY, this);
    }

    /** Returns the permissions of a request. */
    public static Access of(RoutingContext request) {
        return request.get(KEY);
    }

    public void require(Verb verb, ResourceName resource) {
        caller.denied(verb, resource).ifPresent(key -> deny(key, verb, "resource", resource.text()));
    }

    void require(Verb verb, ResourceNames resources) {
        resources.list().forEach(resource -> require(verb, resource));
    }

    /** Returns whether the call would be allowed. */
    public boolean may(Verb verb, ResourceName resource) {
        return caller.denied(verb, resource).isEmpty();
    }

    public void requireAll(Verb verb, ResourcePrefix prefix) {
        caller.deniedAll(verb, prefix).ifPresent(key -> deny(key, verb, "prefix", prefix.text()));
    }

    void requireOverall(Verb verb) {
        caller.deniedOverall(verb).ifPresent(key -> deny(key, verb, "prefix", ""));
    }

    /** Counts the request among the waiters of its key. The result removes it again. */
    public Runnable enterToWait() {
        return enter(caller.enterToWait(), RefusalReason.TOO_MANY_WAITERS, Problems::tooManyWaitersOfKey);
    }

    /**
     * Counts the request among the event streams and sessions of its key. The result removes it again.
     *
     * @param type of the problem if there are too many
     */
    public Runnable enterStream(ProblemType type) {
        return enter(
                caller.enterStream(), RefusalReason.TOO_MANY_STREAMS, most -> Problems.tooManyStreamsOfKey(type, most));
    }

    private Runnable enter(PlacePermission permission, RefusalReason reason, IntFunction<Answer> rejection) {
        if (permission instanceof PlacePermission.Place place) {
            return place.leave();
        }
        refusals.accept(reason);
        throw new ProblemException(rejection.apply(((PlacePermission.Full) permission).most()));
    }

    /** Returns whether a check passes that throws a {@link ProblemException} otherwise. */
    public static boolean passes(Runnable check) {
        try {
            check.run();
            return true;
        } catch (ProblemException denied) {
            return false;
        }
    }

    Optional<KeyId> key() {
        return caller.key();
    }

    private void deny(KeyId key, Verb verb, String kind, String name) {
        refusals.accept(RefusalReason.FORBIDDEN);
        throw new ProblemException(Problems.forbidden(key, verb, kind, name));
    }
}
