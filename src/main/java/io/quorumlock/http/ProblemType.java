// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;

/**
 * A type of problem. Those of features are beans.
 *
 * @param slug the last segment of its URI
 * @param explanation for people: what the answer means, and what to do
 */
public record ProblemType(String slug, int status, String title, String explanation) {
    /** Filled by {@link #core}. */
    private static final List<ProblemType> DECLARED = new ArrayList<>();

    private static final ResourceBundle EXPLANATIONS =
            ResourceBundle.getBundle("io.quorumlock.http.problems", Locale.ROOT);

    static final ProblemType LOCKED = core("locked", 423, "The resource is locked");
    public static final ProblemType NO_QUORUM = core("no-quorum", 503, "No majority answered");
    public static final ProblemType RELEASE_INCOMPLETE =
            core("release-incomplete", 503, "The release is not confirmed");
    public static final ProblemType LEASE_NOT_FOUND = core("lease-not-found", 404, "No client holds the lease");
    public static final ProblemType NOT_OWNER = core("not-owner", 409, "The lock belongs to another lease");
    static final ProblemType STALE_FENCING_TOKEN = core("stale-fencing-token", 403, "No holder has this fencing token");
    static final ProblemType TOKEN_IN_USE = core("token-in-use", 409, "The token is in use");
    public static final ProblemType OTHER_SLOTS = core("other-slots", 409, "The semaphore has another number of slots");
    static final ProblemType EXTENSIONS_EXHAUSTED =
            core("extensions-exhausted", 422, "The lease has no extensions left");
    static final ProblemType TOO_MANY_WAITERS = core("too-many-waiters", 429, "Too many clients wait");
    static final ProblemType SHUTTING_DOWN = core("shutting-down", 503, "This replica is shutting down");
    static final ProblemType OVERLOADED = core("overloaded", 503, "Replica overloaded");
    static final ProblemType INVALID_REQUEST = core("invalid-request", 400, "The request is not valid");
    static final ProblemType BODY_TOO_LARGE = core("body-too-large", 413, "The body is too large");
    static final ProblemType INVALID_RESOURCE = core("invalid-resource", 400, "The resource name is not valid");
    static final ProblemType TOO_MANY_LISTINGS = core("too-many-listings", 429, "Too many lists at the same time");
    static final ProblemType UNAUTHORIZED = core("unauthorized", 401, "A valid API key is required");
    static final ProblemType FORBIDDEN = core("forbidden", 403, "The API key does not allow this request");
    static final ProblemType CROSS_ORIGIN = core("cross-origin", 403, "The request came from a page of another origin");
    static final ProblemType UNKNOWN_HOST = core("unknown-host", 421, "The service is not known by this host name");
    static final ProblemType TOO_MANY_REQUESTS = core("too-many-requests", 429, "The quota of the API key is exceeded");
    static final ProblemType NOT_FOUND = core("not-found", 404, "The path does not exist");
    static final ProblemType METHOD_NOT_ALLOWED =
            core("method-not-allowed", 405, "The path does not support this method");
    static final ProblemType INTERNAL_ERROR = core("internal-error", 500, "Internal error");

    static final String BASE = "/problems/";

    /** The types of the service itself. */
    static final List<ProblemType> CORE = List.copyOf(DECLARED);

    private static ProblemType core(String slug, int status, String title) {
        ProblemType type = new ProblemType(slug, status, title, EXPLANATIONS.getString(slug));
        DECLARED.add(type);
        return type;
    }

    public String uri() {
        return BASE + slug;
    }

    /** Returns the page at the URI of the type, in Markdown. */
    String page() {
        return "# " + title + "\n\nStatus " + status + ", type `" + uri() + "`\n\n" + explanation + "\n";
    }
}
