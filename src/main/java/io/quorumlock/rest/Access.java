package io.quorumlock.rest;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import io.quorumlock.security.Caller;
import io.quorumlock.security.Caller.WaitPermission;
import io.quorumlock.security.KeyId;
import io.quorumlock.security.SecurityListener;
import io.quorumlock.security.SecurityListener.RefusalReason;
import io.quorumlock.security.Verb;
import java.util.Optional;

/** The permissions of one request. A call without permission ends the request with a problem document. */
record Access(Caller caller, SecurityListener events) {
    void require(Verb verb, ResourceName resource) {
        caller.may(verb, resource).deniedTo().ifPresent(key -> deny(key, verb, "resource", resource.text()));
    }

    void requireAll(Verb verb, ResourcePrefix prefix) {
        caller.mayAll(verb, prefix).deniedTo().ifPresent(key -> deny(key, verb, "prefix", prefix.text()));
    }

    void requireOverall(Verb verb) {
        caller.mayOverall(verb).deniedTo().ifPresent(key -> deny(key, verb, "prefix", ""));
    }

    /** Counts the request among the waiters of its key. The result removes it again. */
    Runnable enterToWait() {
        WaitPermission permission = caller.enterToWait();
        if (permission instanceof WaitPermission.Place place) {
            return place.leave();
        }
        events.refused(RefusalReason.TOO_MANY_WAITERS);
        throw new ProblemException(Problems.tooManyWaitWith(((WaitPermission.Full) permission).most()));
    }

    /** Returns whether a check passes that throws a {@link ProblemException} otherwise. */
    static boolean passes(Runnable check) {
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
        events.refused(RefusalReason.FORBIDDEN);
        throw new ProblemException(Problems.forbidden(key, verb, kind, name));
    }
}
