package io.quorumlock.config;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** Starts the service. */
@QuarkusMain
public final class Main {
    /** Read once, when the HTTP server's class is loaded: before that is the last moment to set it. */
    private static final String NO_URI_CHECK = "vertx.disableURIValidation";

    Main() {}

    /** Leaves broken paths to our own gate: the server would refuse them with an empty answer. */
    public static void main(String... arguments) {
        System.setProperty(NO_URI_CHECK, "true");
        Quarkus.run(arguments);
    }
}
