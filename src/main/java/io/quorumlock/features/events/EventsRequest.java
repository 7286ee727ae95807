// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.events;

import io.quorumlock.core.lock.Limits;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourcePrefix;
import io.quorumlock.http.Access;
import io.quorumlock.http.FieldErrors;
import io.quorumlock.http.ProblemException;
import io.quorumlock.http.RequestFields;
import io.quorumlock.http.keys.Verb;
import java.util.Optional;

/** The fields of an event stream: one name, or a prefix of names. */
record EventsRequest(Optional<ResourcePrefix> prefix, Optional<ResourceName> name) implements RequestFields {
    private static final ResourcePrefix ALL = new ResourcePrefix("");

    @Override
    public void check(FieldErrors errors, Limits limits) {
        errors.require(prefix.isEmpty() || name.isEmpty(), "prefix", "is not allowed with name");
    }

    boolean includes(ResourceName resource) {
        return name.map(resource::equals).orElseGet(() -> prefix.orElse(ALL).begins(resource.text()));
    }

    /** @throws ProblemException if the client may not read these events */
    void require(Access access) {
        name.ifPresentOrElse(
                one -> access.require(Verb.EVENTS, one), () -> access.requireAll(Verb.EVENTS, prefix.orElse(ALL)));
    }
}
