package io.quorumlock.rest;

import io.quorumlock.lock.ResourceName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Is one request about a lock, with its path checked and the rest as it came.
 *
 * @param query undecoded, empty if there is none
 * @param tokens the values of the header Lock-Token
 * @param preferredWait what the header Prefer says
 * @param access what whoever makes it may do
 */
record LockCall(
        LockPath path,
        ResourceName resource,
        String query,
        byte[] body,
        List<String> tokens,
        Optional<Duration> preferredWait,
        Access access) {
    LockCall withBody(byte[] received) {
        return new LockCall(path, resource, query, received, tokens, preferredWait, access);
    }

    /** Reads every field that was given. */
    Fields fields(Set<String> known) {
        Fields fields = new Fields(known);
        if (known.contains("token")) {
            tokens.forEach(token -> fields.add("token", new Given(Given.Source.HEADER, Given.Kind.UNTYPED, token)));
        }
        QueryFields.read(query, fields);
        JsonFields.read(body, fields);
        return fields;
    }
}
