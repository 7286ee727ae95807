// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.spring;

import io.quorumlock.client.QuorumlockClient;
import java.util.UUID;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/** Gives an application a client, {@link QuorumLock}, a lock registry, and a health indicator. */
@AutoConfiguration
@EnableConfigurationProperties(QuorumlockProperties.class)
public class QuorumlockAutoConfiguration {
    /**
     * Returns the client. The end of the application does not close it, because that would release the locks of methods that
     * still run.
     */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    QuorumlockClient quorumlockClient(QuorumlockProperties settings) {
        QuorumlockClient.Builder client = QuorumlockClient.builder().timeout(settings.timeout());
        PropertyMapper map = PropertyMapper.get().alwaysApplyingWhenNonNull();
        map.from(settings::url).to(client::url);
        map.from(settings::key).to(client::key);
        return client.build();
    }

    /**
     * Returns the advisor of {@link QuorumLock}, which goes before the one of transactions: the lock is held until the
     * commit. It is created before other beans, so it looks the client up later.
     */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor quorumLockAdvisor(
            ObjectProvider<QuorumlockClient> client, ObjectProvider<QuorumlockProperties> settings) {
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(
                new AnnotationMatchingPointcut(null, QuorumLock.class, true),
                new QuorumLockInterceptor(
                        client::getObject, () -> settings.getObject().ttl()));
        advisor.setOrder(Ordered.LOWEST_PRECEDENCE - 1);
        return advisor;
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RenewableLockRegistry.class)
    static class IntegrationConfiguration {
        @Bean
        @ConditionalOnMissingBean(LockRegistry.class)
        QuorumlockLockRegistry quorumlockLockRegistry(QuorumlockClient client, QuorumlockProperties settings) {
            return new QuorumlockLockRegistry(client, settings.prefix(), settings.ttl());
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnProperty("quorumlock.leader.role")
        LockRegistryLeaderInitiator quorumlockLeaderInitiator(LockRegistry locks, QuorumlockProperties settings) {
            String id = UUID.randomUUID().toString();
            return new LockRegistryLeaderInitiator(
                    locks, new DefaultCandidate(id, settings.leader().role()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
    @ConditionalOnEnabledHealthIndicator("quorumlock")
    static class HealthConfiguration {
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
}
