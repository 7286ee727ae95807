// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import io.quorumlock.settings.DurationWithUnit;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import io.quorumlock.settings.StrictFlag;
import io.quorumlock.settings.TtlBounds;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The settings of locks and states of Terraform. */
@ConfigMapping(prefix = "quorumlock.terraform")
public interface TerraformConfig {
    /** Whether Terraform and OpenTofu can lock their states, at {@code /terraform/{name}}. */
    @WithDefault("false")
    @WithConverter(StrictFlag.class)
    boolean enabled();

    /** The TTL of a lock whose URL has no {@code ttlMs}. Terraform does not extend locks. */
    @WithDefault("1h")
    @WithConverter(DurationWithUnit.class)
    Duration ttl();

    /** The HTTP store that keeps the states: a state is at this URL, followed by "/" and its name. Without it, only locks. */
    Optional<String> stateUrl();

    /** The PEM file of trusted certificates for a store with {@code https://}, instead of those of the JVM. */
    Optional<Path> caFile();

    static void check(TerraformConfig config, QuorumlockConfig service, Mistakes mistakes) {
        if (config.enabled()) {
            TtlBounds.checkTtl("terraform.ttl", config.ttl(), service, mistakes);
        }
        String stateUrl = Mistakes.variable("quorumlock.terraform.state-url");
        if (config.stateUrl().isPresent() && store(config).isEmpty()) {
            // Without the value, which may have a password.
            mistakes.add(stateUrl + ": no URL of an HTTP store; write http[s]://[user:password@]host[:port]/path");
        }
        mistakes.checkFileOfTls(
                "terraform.ca-file",
                config.caFile(),
                config.stateUrl().orElse("").startsWith("https://"),
                "the store does not use TLS; write https:// in " + stateUrl);
        if (config.stateUrl().isPresent()) {
            mistakes.refuseLimitOfExtensions(service, stateUrl, "extends a lease whenever a state is saved");
        }
    }

    /** Returns the URL of the store of states; empty if there is none, or if it is not valid. */
    static Optional<URI> store(TerraformConfig config) {
        try {
            return config.stateUrl().map(URI::create).filter(TerraformConfig::isStore);
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    private static boolean isStore(URI url) {
        return ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
                && url.getHost() != null
                && url.getQuery() == null
                && url.getFragment() == null;
    }
}
