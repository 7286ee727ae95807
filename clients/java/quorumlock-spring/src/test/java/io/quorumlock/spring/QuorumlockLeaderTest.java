// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.client.LockHeldException;
import io.quorumlock.client.testing.OtherProcess;
import io.quorumlock.client.testing.Relay;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;
import org.springframework.integration.support.locks.DefaultLockRegistry;

/** Instances of an application with {@code quorumlock.leader.role}, and lock registries of its own. */
class QuorumlockLeaderTest {
    @RegisterExtension
    private final Relay relay = new Relay();

    private final String role = "leaders/" + UUID.randomUUID();

    @Configuration
    @EnableAutoConfiguration
    static class Instance {
        private final CountDownLatch granted = new CountDownLatch(1);
        private final CountDownLatch revoked = new CountDownLatch(1);

        @Bean
        DefaultLockRegistry localLocks() {
            return new DefaultLockRegistry();
        }

        @Bean
        DefaultLockRegistry otherLocalLocks() {
            return new DefaultLockRegistry();
        }

        @EventListener
        void granted(OnGrantedEvent event) {
            System.out.println("granted");
            granted.countDown();
        }

        @EventListener
        void revoked(OnRevokedEvent event) {
            System.out.println("revoked");
            revoked.countDown();
        }

        void awaitGranted() throws InterruptedException {
            assertTrue(granted.await(40, TimeUnit.SECONDS));
        }

        void awaitRevoked() throws InterruptedException {
            assertTrue(revoked.await(40, TimeUnit.SECONDS));
        }
    }

    private static ConfigurableApplicationContext run(String... settings) {
        return new SpringApplicationBuilder(Instance.class)
                .properties("quorumlock.ttl=3s", "spring.main.banner-mode=off", "logging.level.root=off")
                .run(settings);
    }

    private ConfigurableApplicationContext start(String... settings) {
        Stream<String> all = Stream.of("--quorumlock.url=" + relay.url(), "--quorumlock.leader.role=" + role);
        return run(Stream.concat(Stream.of(settings), all).toArray(String[]::new));
    }

    @Test
    void leaderHoldsTheLockAndHandsItOverAtItsEnd() throws InterruptedException {
        ConfigurableApplicationContext first = start("--quorumlock.ttl=50s");
        first.getBean(Instance.class).awaitGranted();
        assertThrows(LockHeldException.class, () -> relay.client().acquire(role));
        try (ConfigurableApplicationContext second = start()) {
            first.close();
            second.getBean(Instance.class).awaitGranted();
        }
    }

    @Test
    void leaderLosesItsRoleWithTheService() throws InterruptedException {
        try (ConfigurableApplicationContext leader = start()) {
            leader.getBean(Instance.class).awaitGranted();
            relay.stop();
            leader.getBean(Instance.class).awaitRevoked();
        }
    }

    @Test
    void suspendedLeaderIsReplacedAndLearnsOfIt() throws InterruptedException {
        try (OtherProcess leader = new OtherProcess(Leader.class, role)) {
            assertEquals("granted", leader.readLine());
            leader.suspend();
            try (ConfigurableApplicationContext next = start()) {
                next.getBean(Instance.class).awaitGranted();
                leader.resume();
                assertEquals("revoked", leader.readLine());
                assertThrows(LockHeldException.class, () -> relay.client().acquire(role));
                assertEquals(1, next.getBean(Instance.class).revoked.getCount());
            }
        }
    }

    @Test
    void killedLeaderIsReplaced() throws InterruptedException {
        try (OtherProcess leader = new OtherProcess(Leader.class, role)) {
            assertEquals("granted", leader.readLine());
        }
        try (ConfigurableApplicationContext next = start()) {
            next.getBean(Instance.class).awaitGranted();
        }
    }

    /** Is elected, and goes on until it is killed. */
    static final class Leader {
        public static void main(String[] arguments) {
            run("--quorumlock.leader.role=" + arguments[0]);
        }
    }

    @Test
    void refusalEndsTheStart() {
        assertRefused("quorumlock.ttl.max", "--quorumlock.ttl=2d");
        assertRefused("512", "--quorumlock.prefix=" + "x".repeat(500) + "/");
    }

    private void assertRefused(String reason, String setting) {
        BeanCreationException e =
                assertThrows(BeanCreationException.class, () -> start(setting).close());
        assertTrue(e.getMessage().contains(reason), e::getMessage);
    }

    @Test
    void startWithoutTheServiceIsElectedLater() throws InterruptedException {
        relay.stop();
        try (ConfigurableApplicationContext instance = start()) {
            relay.restart();
            instance.getBean(Instance.class).awaitGranted();
        }
    }
}
