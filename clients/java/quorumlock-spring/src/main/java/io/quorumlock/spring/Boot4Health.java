// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.spring;

import io.quorumlock.client.QuorumlockClient;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health indicator for Spring Boot 4. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnEnabledHealthIndicator("quorumlock")
class Boot4Health {
    /** Returns the health of the service: up while a replica reaches a majority of its masters. */
    @Bean
    @ConditionalOnMissingBean(name = "quorumlockHealthIndicator")
    HealthIndicator quorumlockHealthIndicator(QuorumlockClient client) {
        return new AbstractHealthIndicator("Quorumlock is not ready") {
            @Override
            protected void doHealthCheck(Health.Builder health) throws InterruptedException {
                client.checkReady();
                health.up();
            }
        };
    }
}
