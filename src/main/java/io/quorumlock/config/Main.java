package io.quorumlock.config;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** The main class. */
@QuarkusMain
public final class Main {
    /** Vert.x reads this property once, when it loads the class of its HTTP server. */
    private static final String NO_URI_CHECK = "vertx.disableURIValidation";

    Main() {}

    /** Disables the URI check of Vert.x, so that invalid paths get a problem document instead of an empty response. */
    public static void main(String... arguments) {
        System.setProperty(NO_URI_CHECK, "true");
        Quarkus.run(arguments);
    }
}
