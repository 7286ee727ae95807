// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import java.util.List;

/**
 * A type of problem. Those of features are beans.
 *
 * @param slug the last segment of its URI
 * @param explanation for people: what the answer means, and what to do
 */
public record ProblemType(String slug, int status, String title, String explanation) {
    static final ProblemType LOCKED = new ProblemType(
            "locked",
            423,
            "The resource is locked",
            "Another client holds the lock, or it was released and is kept. Retry after Retry-After seconds."
                    + " remainingMs is the time until the lease ends, unless its holder extends it; if kept is true,"
                    + " until the lock is free. Of several leases, the last one to end counts, but of a full semaphore"
                    + " the first one. If a client that waits to hold a shared lock alone keeps others out, it is the"
                    + " time for which it does. owner is the label that the holder"
                    + " chose. waitedMs is the time that this call waited.");
    public static final ProblemType NO_QUORUM = new ProblemType(
            "no-quorum",
            503,
            "No majority answered",
            "Too few masters answered in time, or the store of the locks did not. outcome"
                    + " is \"none\" if the call had no effect, and \"unknown\" if it may have had one. Values that a"
                    + " failed acquire wrote are deleted. After an unconfirmed extension the lease is as valid as"
                    + " before. It is safe to retry after Retry-After seconds.");
    public static final ProblemType RELEASE_INCOMPLETE = new ProblemType(
            "release-incomplete",
            503,
            "The release is not confirmed",
            "Too few masters, or not the store, confirmed the release. The service repeats it in the"
                    + " background, and the client may repeat it. The lease expires within remainingMs, unless the"
                    + " release was forced and the holder extends the lease.");
    public static final ProblemType LEASE_NOT_FOUND = new ProblemType(
            "lease-not-found",
            404,
            "No client holds the lease",
            "The lease expired, was released, or never existed. A call for several locks must have exactly the names"
                    + " of the acquire; with others it changes nothing. Otherwise a holder that gets this answer has"
                    + " lost its lease and must stop work on the resource.");
    public static final ProblemType NOT_OWNER = new ProblemType(
            "not-owner",
            409,
            "The lock belongs to another lease",
            "The token is not that of the current lease. Or its lease has other names: then nothing changed, so"
                    + " send exactly the names of the acquire. Otherwise a holder that gets this answer"
                    + " has lost its lease and must stop work on the resource. A forced release that gets this answer"
                    + " has not changed the lock: another program wrote it, or a new lease began meanwhile.");
    static final ProblemType STALE_FENCING_TOKEN = new ProblemType(
            "stale-fencing-token",
            403,
            "No holder has this fencing token",
            "The lock is free or kept, another lease holds it, or the request has no fencing token. A client that sent"
                    + " the token with a write has lost its lease, or an extension gave it a larger token."
                    + " The write must not be done with this one.");
    static final ProblemType TOKEN_IN_USE = new ProblemType(
            "token-in-use",
            409,
            "The token is in use",
            "The token has a lease of the resource with another ttlMs, owner, mode, number of slots or set of"
                    + " names. Repeat an acquire with the same values, or use another token. A repeated acquire of"
                    + " several locks also gets this answer if one of them was lost: release them, which frees the"
                    + " others, or wait until the lease ends. Nothing was acquired.");
    public static final ProblemType OTHER_SLOTS = new ProblemType(
            "other-slots",
            409,
            "The semaphore has another number of slots",
            "All clients of a semaphore must give the same number of slots. The number in force is that of its present"
                    + " holders. Nothing was acquired.");
    static final ProblemType EXTENSIONS_EXHAUSTED = new ProblemType(
            "extensions-exhausted",
            422,
            "The lease has no extensions left",
            "This service limits the number of extensions of one lease, so that a stuck client cannot hold a lock"
                    + " without end. The lease ends with its current TTL. Acquire a new one after that.");
    static final ProblemType TOO_MANY_WAITERS = new ProblemType(
            "too-many-waiters",
            429,
            "Too many clients wait",
            "The number of waiting clients is limited for each resource and each replica, and may be"
                    + " limited for each API key. Retry after Retry-After seconds, or without waitMs.");
    static final ProblemType SHUTTING_DOWN = new ProblemType(
            "shutting-down",
            503,
            "This replica is shutting down",
            "Nothing was done. Waiting requests end at once. Retry on a new connection after Retry-After"
                    + " seconds.");
    static final ProblemType OVERLOADED = new ProblemType(
            "overloaded",
            503,
            "Replica overloaded",
            "Nothing was done, because too many requests are in flight. Extensions and releases have"
                    + " reserved capacity and are rejected last. It is safe to retry after Retry-After seconds, or"
                    + " on another replica.");
    static final ProblemType INVALID_REQUEST = new ProblemType(
            "invalid-request",
            400,
            "The request is not valid",
            "Each entry of errors names a field and the rule that it breaks. Invalid values are never adjusted,"
                    + " and unknown fields are rejected.");
    static final ProblemType BODY_TOO_LARGE = new ProblemType(
            "body-too-large",
            413,
            "The body is too large",
            "A body has at most 16 KiB, in any encoding. Nothing was done.");
    static final ProblemType INVALID_RESOURCE = new ProblemType(
            "invalid-resource",
            400,
            "The resource name is not valid",
            "The name is the rest of the path after /locks/ or /sessions/: UTF-8 in percent-encoding, 1 to 512"
                    + " bytes, without control characters, and without empty, \".\" and \"..\" segments. \"/\""
                    + " and \"%2F\" are the same.");
    static final ProblemType TOO_MANY_LISTINGS = new ProblemType(
            "too-many-listings",
            429,
            "Too many lists at the same time",
            "A list reads many locks, so a replica processes few at a time. Retry after" + " Retry-After seconds.");
    static final ProblemType UNAUTHORIZED = new ProblemType(
            "unauthorized",
            401,
            "A valid API key is required",
            "Send an API key in the header Authorization: Bearer <key>, or as the password of Basic with"
                    + " the id of the key as the user. The operator of the service provides keys.");
    static final ProblemType FORBIDDEN = new ProblemType(
            "forbidden",
            403,
            "The API key does not allow this request",
            "Of the rules of the key, only the one with the longest matching prefix applies. Without a"
                    + " matching rule, nothing is allowed. verb is the missing permission, and resource or prefix is"
                    + " the name. The answer is the same for a free and a held lock.");
    static final ProblemType CROSS_ORIGIN = new ProblemType(
            "cross-origin",
            403,
            "The request came from a page of another origin",
            "A browser names the origin of the page in the header Origin or Sec-Fetch-Site. It must have"
                    + " the same host and port as the service, or be allowed by quarkus.http.cors.origins.");
    static final ProblemType UNKNOWN_HOST = new ProblemType(
            "unknown-host",
            421,
            "The service is not known by this host name",
            "Without API keys, the header Host may have an IP address, localhost, a name without a dot, a"
                    + " name that ends with .svc or .svc.cluster.local, or one of quorumlock.security.hosts. This"
                    + " prevents requests of web pages whose names lead to addresses of this network.");
    static final ProblemType TOO_MANY_REQUESTS = new ProblemType(
            "too-many-requests",
            429,
            "The quota of the API key is exceeded",
            "The key has a quota of requests per second on each replica. Nothing was done. Retry after"
                    + " Retry-After seconds.");
    static final ProblemType NOT_FOUND =
            new ProblemType("not-found", 404, "The path does not exist", "/openapi.yaml describes all paths.");
    static final ProblemType METHOD_NOT_ALLOWED = new ProblemType(
            "method-not-allowed",
            405,
            "The path does not support this method",
            "The header Allow lists the supported methods.");
    static final ProblemType INTERNAL_ERROR = new ProblemType(
            "internal-error",
            500,
            "Internal error",
            "This is a bug. The log of the service has the cause, with the incident id of this answer.");

    static final String BASE = "/problems/";

    /** The types of the service itself. */
    static final List<ProblemType> CORE = List.of(
            LOCKED,
            NO_QUORUM,
            RELEASE_INCOMPLETE,
            LEASE_NOT_FOUND,
            NOT_OWNER,
            STALE_FENCING_TOKEN,
            TOKEN_IN_USE,
            OTHER_SLOTS,
            EXTENSIONS_EXHAUSTED,
            TOO_MANY_WAITERS,
            SHUTTING_DOWN,
            OVERLOADED,
            INVALID_REQUEST,
            BODY_TOO_LARGE,
            INVALID_RESOURCE,
            TOO_MANY_LISTINGS,
            UNAUTHORIZED,
            FORBIDDEN,
            CROSS_ORIGIN,
            UNKNOWN_HOST,
            TOO_MANY_REQUESTS,
            NOT_FOUND,
            METHOD_NOT_ALLOWED,
            INTERNAL_ERROR);

    public String uri() {
        return BASE + slug;
    }

    /** Returns the page at the URI of the type, in Markdown. */
    String page() {
        return "# " + title + "\n\nStatus " + status + ", type `" + uri() + "`\n\n" + explanation + "\n";
    }
}
