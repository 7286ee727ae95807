// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.security;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import io.quorumlock.security.Caller.Permission;
import io.quorumlock.security.Caller.PlacePermission;
import io.quorumlock.security.KeyRing.ApiKey;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The caller with an API key. Each check uses the current rules, so that removal of a key from the file also ends its
 * sessions and streams.
 */
record KeyCaller(ApiKey admitted, KeyUsage usage, Supplier<KeyRing> ring) implements Caller {
    @Override
    public Permission may(Verb verb, ResourceName resource) {
        return ask(rules -> rules.allow(verb, resource));
    }

    @Override
    public Permission mayAll(Verb verb, ResourcePrefix prefix) {
        return ask(rules -> rules.allowAll(verb, prefix));
    }

    @Override
    public Permission mayOverall(Verb verb) {
        return ask(rules -> rules.allowOverall(verb));
    }

    @Override
    public PlacePermission enterToWait() {
        return usage.waiters().enter(admitted.quota().waiters());
    }

    @Override
    public PlacePermission enterStream() {
        return usage.streams().enter(admitted.quota().streams());
    }

    @Override
    public Optional<KeyId> key() {
        return Optional.of(admitted.id());
    }

    @Override
    public String getName() {
        return admitted.id().text();
    }

    private Permission ask(Predicate<AccessRules> question) {
        boolean allowed =
                ring.get().current(admitted).map(ApiKey::rules).filter(question).isPresent();
        return Permission.of(allowed, admitted.id());
    }
}
