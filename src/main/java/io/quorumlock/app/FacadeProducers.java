// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quorumlock.facade.FleetLockTerms;
import io.quorumlock.facade.TerraformTerms;
import io.quorumlock.paths.Route;
import io.quorumlock.rest.HiddenRoutes;
import io.quorumlock.settings.FacadeConfig;
import io.quorumlock.settings.QuorumlockConfig;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.EnumSet;
import java.util.Set;

/** The composition root of the facades, each of which is off unless it is enabled. */
@Singleton
final class FacadeProducers {
    private final QuorumlockConfig config;

    FacadeProducers(CheckedSettings settings) {
        this.config = settings.config;
    }

    @Produces
    @Singleton
    HiddenRoutes hiddenRoutes() {
        Set<Route> hidden = EnumSet.noneOf(Route.class);
        hideUnless(config.terraform().enabled(), Route.TERRAFORM, hidden);
        hideUnless(config.fleetlock().enabled(), Route.FLEETLOCK, hidden);
        hideUnless(config.mcp().enabled(), Route.MCP, hidden);
        return new HiddenRoutes(hidden);
    }

    private static void hideUnless(boolean enabled, Route route, Set<Route> hidden) {
        if (!enabled) {
            hidden.add(route);
        }
    }

    @Produces
    @Singleton
    TerraformTerms terraformTerms() {
        FacadeConfig.Terraform terraform = config.terraform();
        return new TerraformTerms(
                terraform.ttl(),
                FacadeChecks.stateUrl(terraform).filter(url -> terraform.enabled()),
                terraform.caFile());
    }

    @Produces
    @Singleton
    FleetLockTerms fleetLockTerms() {
        FacadeConfig.FleetLock fleetLock = config.fleetlock();
        return new FleetLockTerms(fleetLock.ttl(), fleetLock.slots(), FacadeChecks.slots(fleetLock));
    }
}
