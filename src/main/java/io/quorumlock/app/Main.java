// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.security.Security;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** The main class. */
@QuarkusMain
public final class Main {
    private static final String USAGE =
            """
            Usage: java -jar quarkus-run.jar [--check | --version | --help]

            Without an argument, runs the service. Settings are environment variables: docs/configuration.md.

              --check    read the settings, connect to the masters, print which of them vote, and end.
                         Writes nothing. The status is 0 if a majority votes, or would after its quarantine
              --version  print the version, the commit and its date
              --help     print this text
            """;
    static final String CHECK = "--check";
    /** The exit status of a wrong argument, as in sysexits.h. */
    private static final int WRONG_USAGE = 64;

    /** Vert.x reads this property once, when it loads the class of its HTTP server. */
    private static final String NO_URI_CHECK = "vertx.disableURIValidation";

    private static final String ADDRESS_CACHE_SECONDS = "networkaddress.cache.ttl";
    private static final String MISSING_ADDRESS_CACHE_SECONDS = "networkaddress.cache.negative.ttl";

    Main() {}

    /** Runs the service, or what the argument requests. */
    public static void main(String... arguments) {
        switch (arguments.length == 0 ? "" : arguments[0]) {
            case "" -> run(null);
            case CHECK -> {
                System.setProperty("quarkus.http.host-enabled", "false");
                System.setProperty("quarkus.banner.enabled", "false");
                System.setProperty("quarkus.log.level", "ERROR");
                run(FleetReport.class, CHECK);
            }
            case "--version" -> System.out.println(version());
            case "--help" -> System.out.print(USAGE);
            default -> {
                System.err.print("unknown argument " + arguments[0] + "\n" + USAGE);
                System.exit(WRONG_USAGE);
            }
        }
    }

    /** Returns the version, the commit and its date. */
    private static String version() {
        Config config = ConfigProvider.getConfig();
        String revision = config.getValue("quorumlock-build.revision", String.class);
        String date =
                config.getOptionalValue("quorumlock-build.date", String.class).orElse("");
        return String.join(" ", Main.class.getPackage().getImplementationVersion(), revision, date)
                .strip();
    }

    /**
     * Disables the URI check of Vert.x, so that invalid paths get a problem document instead of an empty response. Caches
     * addresses for one second instead of thirty, and missing addresses instead of ten, because a master may have another
     * address after a restart, and none during it.
     */
    private static void run(Class<? extends QuarkusApplication> application, String... arguments) {
        System.setProperty(NO_URI_CHECK, "true");
        Security.setProperty(ADDRESS_CACHE_SECONDS, "1");
        Security.setProperty(MISSING_ADDRESS_CACHE_SECONDS, "1");
        if (LaunchMode.current() == LaunchMode.NORMAL) {
            StartErrors.watchStart();
            Quarkus.run(application, StartErrors::exit, arguments);
        } else {
            Quarkus.run(application, arguments);
        }
    }
}
