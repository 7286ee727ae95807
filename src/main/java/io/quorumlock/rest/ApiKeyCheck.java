package io.quorumlock.rest;

import io.quorumlock.security.Authentication;
import io.quorumlock.security.Authenticator;
import io.quorumlock.security.Credentials;
import io.quorumlock.security.RefusalReason;
import io.quorumlock.security.SecurityListener;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Finds out who makes a request, before anything else of it is looked at. */
@Singleton
final class ApiKeyCheck {
    private static final Logger LOG = Logger.getLogger(ApiKeyCheck.class);

    private final Authenticator guard;
    private final SecurityListener events;
    private final Optional<Access> open;

    ApiKeyCheck(Authenticator guard, SecurityListener events) {
        this.guard = guard;
        this.events = events;
        this.open = guard.isOff() ? Optional.of(new Access(guard.anybody(), events)) : Optional.empty();
    }

    boolean isOff() {
        return open.isPresent();
    }

    /** Admits the request, or ends it. */
    Access check(HttpServerRequest request) {
        return open.isPresent() ? open.get() : checkKey(request);
    }

    private Access checkKey(HttpServerRequest request) {
        Optional<Credentials> credentials;
        try {
            credentials = Authorization.read(request.headers().getAll(Authorization.HEADER));
        } catch (IllegalArgumentException e) {
            throw refused(RefusalReason.MALFORMED, Problems.unauthorized(e.getMessage()));
        }
        // From here on nothing can write it anywhere.
        request.headers().remove(Authorization.HEADER);
        if (credentials.isEmpty()) {
            throw refused(RefusalReason.NO_KEY, Problems.unauthorized("A key is needed: Authorization: Bearer <key>."));
        }
        String address =
                Optional.ofNullable(request.remoteAddress().hostAddress()).orElse("local");
        return received(guard.admit(credentials.get(), address), address);
    }

    private Access received(Authentication admission, String address) {
        if (admission instanceof Authentication.Admitted admitted) {
            return new Access(admitted.caller(), events);
        }
        if (admission instanceof Authentication.WrongKey wrong) {
            if (wrong.last()) {
                LOG.warnf(
                        "wrong keys client=%s: too many, it is turned away for a minute", LogSanitizer.quoted(address));
            }
            throw refused(RefusalReason.WRONG_KEY, Problems.unauthorized("There is no such key."));
        }
        if (admission instanceof Authentication.TooManyWrongKeys tooMany) {
            throw refused(RefusalReason.TOO_MANY_WRONG_KEYS, Problems.tooManyWrongKeys(tooMany.left()));
        }
        if (admission instanceof Authentication.OverQuota over) {
            throw refused(RefusalReason.OVER_QUOTA, Problems.tooManyRequests(over.key(), over.left()));
        }
        throw new IllegalStateException("no answer for " + admission.getClass().getName());
    }

    private ProblemException refused(RefusalReason reason, Answer answer) {
        events.refused(reason);
        return new ProblemException(answer);
    }
}
