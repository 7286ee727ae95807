// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quorumlock.facade.FleetLockError;
import io.quorumlock.facade.FleetLockTerms;
import io.quorumlock.facade.TerraformTerms;
import io.quorumlock.rest.Route;
import io.quorumlock.settings.FacadeConfig;
import io.quorumlock.settings.QuorumlockConfig;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** The composition root of the facades, each of which is off unless it is enabled. */
@Singleton
final class FacadeProducers {
    private final QuorumlockConfig config;

    FacadeProducers(CheckedSettings settings) {
        this.config = settings.config;
    }

    @Produces
    @Singleton
    Route terraform() {
        return Route.ofNames("terraform", "DELETE, GET, LOCK, POST, PUT, UNLOCK")
                .onlyIf(config.terraform().enabled());
    }

    @Produces
    @Singleton
    Route fleetLock() {
        return Route.ofKeys(Route.below("/fleetlock"), "/fleetlock/{call}", "POST")
                .onlyIf(config.fleetlock().enabled())
                .withErrors(FleetLockError::of);
    }

    @Produces
    @Singleton
    Route mcp() {
        return Route.ofKeys(Route.at("/mcp"), "/mcp", "POST")
                .onlyIf(config.mcp().enabled());
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
