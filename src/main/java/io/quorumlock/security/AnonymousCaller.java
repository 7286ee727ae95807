// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.security;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import io.quorumlock.security.Caller.Permission;
import io.quorumlock.security.Caller.PlacePermission;
import java.util.Optional;

/** The caller if authentication is off, with all permissions. */
record AnonymousCaller() implements Caller {
    private static final PlacePermission PLACE = new PlacePermission.Place(() -> {});

    @Override
    public Permission may(Verb verb, ResourceName resource) {
        return Permission.ALLOWED;
    }

    @Override
    public Permission mayAll(Verb verb, ResourcePrefix prefix) {
        return Permission.ALLOWED;
    }

    @Override
    public Permission mayOverall(Verb verb) {
        return Permission.ALLOWED;
    }

    @Override
    public PlacePermission enterToWait() {
        return PLACE;
    }

    @Override
    public PlacePermission enterStream() {
        return PLACE;
    }

    @Override
    public Optional<KeyId> key() {
        return Optional.empty();
    }

    @Override
    public String getName() {
        return "";
    }
}
