package io.quorumlock.security;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import io.quorumlock.security.Caller.Permission;
import io.quorumlock.security.Caller.WaitPermission;
import java.util.Optional;

/** The caller if authentication is off, with all permissions. */
record AnonymousCaller() implements Caller {
    private static final WaitPermission PLACE = new WaitPermission.Place(() -> {});

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
    public WaitPermission enterToWait() {
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
