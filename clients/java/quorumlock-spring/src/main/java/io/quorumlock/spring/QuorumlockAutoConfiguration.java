// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.spring;

import io.quorumlock.client.LockHeldException;
import io.quorumlock.client.Options;
import io.quorumlock.client.QuorumlockClient;
import io.quorumlock.client.RefusedException;
import io.quorumlock.client.UnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.springframework.aop.Advisor;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMethodMatcher;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

/** Gives an application a client, {@link QuorumLock}, a lock registry, and a health indicator. */
@AutoConfiguration
@EnableConfigurationProperties(QuorumlockProperties.class)
@Import({Boot3Health.class, Boot4Health.class})
public class QuorumlockAutoConfiguration {
    /**
     * Returns the client. The end of the application does not close it, because that would release the locks of methods that
     * still run.
     */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    QuorumlockClient quorumlockClient(QuorumlockProperties settings) {
        QuorumlockClient.Builder client = QuorumlockClient.builder().timeout(settings.timeout());
        Optional.ofNullable(settings.url()).ifPresent(client::url);
        Optional.ofNullable(settings.key()).ifPresent(client::key);
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
        QuorumLockInterceptor locks = new QuorumLockInterceptor(
                client::getObject, () -> settings.getObject().ttl());
        MethodMatcher annotated = new AnnotationMethodMatcher(QuorumLock.class, true);
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(new ComposablePointcut(locks, annotated), locks);
        advisor.setOrder(Ordered.LOWEST_PRECEDENCE - 1);
        return advisor;
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LockRegistry.class)
    static class IntegrationConfiguration {
        @Bean
        @ConditionalOnMissingBean(LockRegistry.class)
        QuorumlockLockRegistry quorumlockLockRegistry(QuorumlockClient client, QuorumlockProperties settings) {
            return new QuorumlockLockRegistry(client, settings.prefix(), settings.ttl());
        }

        /**
         * Returns the leader election. It does not use the lock registry of the application, which may be a local one.
         * The initiator hides errors and tries again, so a role or TTL that the service refuses is an error here.
         * Refusals above 403 may end, for example that of too many requests.
         */
        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnProperty("quorumlock.leader.role")
        LockRegistryLeaderInitiator quorumlockLeaderInitiator(QuorumlockClient client, QuorumlockProperties settings) {
            QuorumlockLockRegistry locks = new QuorumlockLockRegistry(client, settings.prefix(), settings.ttl());
            String role = settings.leader().role();
            checkAccepted(client, settings.prefix() + LockName.of(role), settings.ttl());
            return new LockRegistryLeaderInitiator(
                    locks, new DefaultCandidate(UUID.randomUUID().toString(), role));
        }

        private static void checkAccepted(QuorumlockClient client, String name, Duration ttl) {
            try {
                client.acquire(name, new Options().ttl(ttl)).release(Duration.ZERO);
            } catch (RefusedException e) {
                if (e.status() <= 403) {
                    throw e;
                }
            } catch (LockHeldException | UnavailableException e) {
                // Another instance is the leader, or the initiator tries again.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
