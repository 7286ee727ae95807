// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.util.Set;
import java.util.regex.Pattern;

/** The answer of a member that it refuses a call. */
final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    /** The rights of a user changed since its login, or authentication was enabled since; both in etcd 3.4 and later. */
    private static final Pattern OLD_LOGIN =
            Pattern.compile("revision of auth store is old|auth: revision in header is old|user name is empty");

    /** No right; a request that is too large or has too many operations. */
    private static final Set<GrpcStatus> REFUSALS = Set.of(GrpcStatus.PERMISSION_DENIED, GrpcStatus.INVALID_ARGUMENT);

    /** The library of the server refuses a request that is larger still, before etcd reads it. */
    private static final String TOO_LARGE = "received message larger than max";

    private final GrpcStatus status;

    RefusedException(GrpcStatus status, String message) {
        super(status.name() + " " + message);
        this.status = status;
    }

    /** Returns whether the member refused the call before it changed anything. */
    boolean provesNoEffect() {
        return REFUSALS.contains(status) || getMessage().contains(TOO_LARGE);
    }

    /** Returns whether the store has no space. It says so of the change that exceeds its quota, too, which it makes. */
    boolean isOutOfSpace() {
        return status == GrpcStatus.RESOURCE_EXHAUSTED && !provesNoEffect();
    }

    boolean isForbidden() {
        return status == GrpcStatus.PERMISSION_DENIED;
    }

    /** Returns whether the call needs a new login. It had no effect then. */
    boolean needsLogin() {
        return status == GrpcStatus.UNAUTHENTICATED
                || OLD_LOGIN.matcher(getMessage()).find();
    }
}
