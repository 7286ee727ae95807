// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quorumlock.lock.LockKind;
import io.quorumlock.settings.FacadeConfig;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The settings of facades that are texts with a structure. */
final class FacadeChecks {
    private static final Pattern GROUP = Pattern.compile("([a-zA-Z0-9.-]+):([1-9][0-9]?)");

    private FacadeChecks() {}

    static void check(QuorumlockConfig config, Mistakes mistakes) {
        List<String> groups = config.fleetlock().groups().orElse(List.of());
        if (slots(config.fleetlock()).size() < groups.size()) {
            mistakes.refuse(
                    "fleetlock.groups",
                    String.join(",", groups),
                    "must be different groups, each with \":\" and its number of slots, 1 to " + LockKind.MOST_SLOTS
                            + "; write for example workers:3,databases:1");
        }
        String stateUrl = Mistakes.variable("quorumlock.terraform.state-url");
        if (config.terraform().stateUrl().isPresent()
                && stateUrl(config.terraform()).isEmpty()) {
            // Without the value, which may have a password.
            mistakes.add(stateUrl + ": no URL of an HTTP store; write http[s]://[user:password@]host[:port]/path");
        }
        mistakes.checkFileOfTls(
                "terraform.ca-file",
                config.terraform().caFile(),
                config.terraform().stateUrl().orElse("").startsWith("https://"),
                "the store does not use TLS; write https:// in " + stateUrl);
        if (config.extensions().max().isPresent()
                && (config.terraform().stateUrl().isPresent() || config.mcp().enabled())) {
            mistakes.add(
                    "QUORUMLOCK_EXTENSIONS_MAX: not possible with " + stateUrl + " or QUORUMLOCK_MCP_ENABLED, which"
                            + " extend a lease whenever a state is saved or an agent checks its locks; remove one of them");
        }
    }

    /** Returns the numbers of slots by group, without those that are not valid. */
    static Map<String, Integer> slots(FacadeConfig.FleetLock config) {
        Map<String, Integer> slots = new HashMap<>();
        for (String entry : config.groups().orElse(List.of())) {
            Matcher parts = GROUP.matcher(entry);
            if (parts.matches() && Integer.parseInt(parts.group(2)) <= LockKind.MOST_SLOTS) {
                slots.put(parts.group(1), Integer.valueOf(parts.group(2)));
            }
        }
        return Map.copyOf(slots);
    }

    /** Returns the URL of the store of states; empty if there is none, or if it is not valid. */
    static Optional<URI> stateUrl(FacadeConfig.Terraform config) {
        try {
            return config.stateUrl().map(URI::create).filter(FacadeChecks::isOfStore);
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    private static boolean isOfStore(URI url) {
        return ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
                && url.getHost() != null
                && url.getQuery() == null
                && url.getFragment() == null;
    }
}
