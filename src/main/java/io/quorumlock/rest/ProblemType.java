package io.quorumlock.rest;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Lists every kind of problem that an answer can report: its status, and what a reader should know of it. */
enum ProblemType {
    LOCKED(
            423,
            "The resource is locked",
            "Another holds the lease. Try again after Retry-After seconds; remainingMs says when it ends unless its"
                    + " holder extends it, owner is the label that its holder gave, waitedMs is how long this call"
                    + " waited for it."),
    NO_QUORUM(
            503,
            "No majority of the masters answered",
            "Too few masters answered in time, or less validity was left than the client needs. outcome tells"
                    + " whether the call may have had an effect: \"none\" or \"unknown\". What a failed acquire may"
                    + " have written is being deleted. An unconfirmed extension leaves the lease as valid as it was."
                    + " Safe to try again after Retry-After seconds."),
    RELEASE_INCOMPLETE(
            503,
            "The release is not confirmed",
            "The release reached fewer masters than a majority. It is being repeated in the background, and is safe to"
                    + " repeat by the client. After remainingMs the lease has ended by itself, unless, where it was to be"
                    + " broken by force, its holder extends it."),
    LEASE_NOT_FOUND(
            404,
            "Nobody holds the lease",
            "The lease expired, was released, or never was; an extension that leaves less validity than its"
                    + " minValidityMs releases it. A holder that reads this has lost it and must stop working"
                    + " on the resource."),
    NOT_OWNER(
            409,
            "Another holds the lease",
            "The token is not that of the present lease. A holder that reads this has lost its own and must stop"
                    + " working on the resource. A forced release that reads this left the lock alone: another program"
                    + " wrote it, or the lease ended and another began meanwhile."),
    EXTENSIONS_EXHAUSTED(
            422,
            "The lease was extended as often as is allowed",
            "The number of extensions of one lease is bounded, so that a client that is stuck cannot hold it for"
                    + " ever. The lease ends with its present TTL; acquire it anew after that."),
    TOO_MANY_WAITERS(
            429,
            "Too many wait already",
            "The number of clients that may wait for one resource, and on one replica, is bounded, and may be"
                    + " for one key. Try again after Retry-After seconds, or without waitMs."),
    SHUTTING_DOWN(
            503,
            "This replica is about to end",
            "Nothing was done. It answers everybody who waits at once. Try again, on a new connection, after Retry-After"
                    + " seconds."),
    OVERLOADED(
            503,
            "This replica has as much under way as it may",
            "Nothing was done. Extensions and releases have places of their own, and are turned away last. Safe to try"
                    + " again after Retry-After seconds, or on another replica."),
    REQUEST_TIMEOUT(
            408,
            "The request did not arrive in time",
            "A body must be there as a whole within ten seconds. Nothing was done."),
    INVALID_REQUEST(
            400,
            "The request is not valid",
            "Each of errors names a field and what it must be. Nothing is clamped, nothing unknown is ignored."),
    INVALID_RESOURCE(
            400,
            "The name of the resource is not valid",
            "A name is the rest of the path after /locks/: UTF-8 in percent-encoding, decoded once, normalised to NFC,"
                    + " at most 512 bytes, without empty and dot segments and control characters. \"/\" and \"%2F\""
                    + " are the same; a last segment \"extend\", \"events\" or \"session\" is reserved, and so"
                    + " are the last two \"session/beat\"."),
    TOO_MANY_LISTINGS(
            429,
            "Too many listings at the same time",
            "A listing reads every lock on every master, so each replica does few at a time. Try again after Retry-After"
                    + " seconds."),
    TOO_MANY_STREAMS(
            429,
            "Too many streams of events at the same time",
            "The number of streams that a replica writes is bounded. Try again after Retry-After seconds, or on another"
                    + " replica."),
    TOO_MANY_SESSIONS(
            429,
            "Too many sessions at the same time",
            "The number of sessions that a replica keeps is bounded. Nothing was acquired. Try again after Retry-After"
                    + " seconds, or on another replica."),
    SESSION_NOT_FOUND(
            404,
            "There is no such session",
            "A majority of the masters knows of no replica that keeps a session for this lease. It is over, or began only"
                    + " this moment; what the stream of the session says counts."),
    UNAUTHORIZED(
            401,
            "No key of this service",
            "Send a key, as the header Authorization: Bearer <key>, or as the password of Basic with the key's id as the"
                    + " user. Whoever runs the service hands keys out."),
    FORBIDDEN(
            403,
            "The key does not allow it",
            "Of the rules of the key the one with the longest prefix that fits decides; where none fits, nothing is"
                    + " allowed. verb names what the key lacks, and resource or prefix where. The answer is the same"
                    + " whether the lock is held or not."),
    TOO_MANY_REQUESTS(
            429,
            "Too many requests with this key",
            "The key has a quota of requests a second on each replica. Nothing was done. Try again after Retry-After"
                    + " seconds."),
    TOO_MANY_WRONG_KEYS(
            429,
            "Too many wrong keys from this address",
            "After ten wrong keys a minute an address is turned away, but for keys that were in use from there before. Try"
                    + " again, with the right key, after Retry-After seconds."),
    NOT_FOUND(404, "There is nothing at this path", "See /openapi.yaml for what there is."),
    METHOD_NOT_ALLOWED(405, "The path does not take this method", "The header Allow lists those that it takes."),
    BODY_TOO_LARGE(413, "The body is too large", "A body has at most 16 KiB."),
    HEADERS_TOO_LARGE(431, "The headers are too large", "All headers together have at most 20 KiB."),
    INTERNAL_ERROR(
            500,
            "An error of the service",
            "This is a bug. The log of the service has the cause under the incident that the answer names.");

    static final String BASE = "/problems/";

    private final int status;
    private final String title;
    private final String explanation;
    private final String slug = name().toLowerCase(Locale.ROOT).replace('_', '-');

    ProblemType(int status, String title, String explanation) {
        this.status = status;
        this.title = title;
        this.explanation = explanation;
    }

    /** Finds the type behind the last segment of its URI. */
    static Optional<ProblemType> ofSlug(String slug) {
        return Arrays.stream(values()).filter(type -> type.slug.equals(slug)).findAny();
    }

    String uri() {
        return BASE + slug;
    }

    int status() {
        return status;
    }

    String title() {
        return title;
    }

    /** Writes the page behind the type's URI. */
    String page() {
        return "# " + title + "\n\nStatus " + status + ", type `" + uri() + "`\n\n" + explanation + "\n";
    }
}
