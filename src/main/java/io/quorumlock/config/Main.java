// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.security.Security;

/** The main class. */
@QuarkusMain
public final class Main {
    /** Vert.x reads this property once, when it loads the class of its HTTP server. */
    private static final String NO_URI_CHECK = "vertx.disableURIValidation";

    private static final String ADDRESS_CACHE_SECONDS = "networkaddress.cache.ttl";
    private static final String MISSING_ADDRESS_CACHE_SECONDS = "networkaddress.cache.negative.ttl";

    Main() {}

    /**
     * Disables the URI check of Vert.x, so that invalid paths get a problem document instead of an empty response. Caches
     * addresses for one second instead of thirty, and missing addresses instead of ten, because a master may have another
     * address after a restart, and none during it.
     */
    public static void main(String... arguments) {
        System.setProperty(NO_URI_CHECK, "true");
        Security.setProperty(ADDRESS_CACHE_SECONDS, "1");
        Security.setProperty(MISSING_ADDRESS_CACHE_SECONDS, "1");
        Quarkus.run(arguments);
    }
}
