// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.client.Lease;
import io.quorumlock.client.LeaseLostException;
import io.quorumlock.client.LockHeldException;
import io.quorumlock.client.Options;
import io.quorumlock.client.QuorumlockClient;
import io.quorumlock.client.RefusedException;
import io.quorumlock.client.UnavailableException;
import io.quorumlock.client.testing.OtherProcess;
import io.quorumlock.client.testing.Relay;
import java.time.Duration;
import java.util.List;
import java.util.Scanner;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.integration.transaction.PseudoTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** An application with the starter. */
class QuorumlockAutoConfigurationTest {
    @RegisterExtension
    private final Relay relay = new Relay();

    private final String id = UUID.randomUUID().toString();

    @Configuration
    @EnableAutoConfiguration
    @EnableTransactionManagement // its advisor is found before the one of the starter
    static class Application {
        private Runnable atCommit = () -> {};

        @Bean
        Orders orders() {
            return new Orders();
        }

        /** Runs {@code atCommit} at the end of each transaction. */
        @Bean
        PlatformTransactionManager transactions() {
            return new PseudoTransactionManager() {
                @Override
                protected void doCommit(DefaultTransactionStatus status) {
                    atCommit.run();
                }
            };
        }
    }

    static class Orders {
        @QuorumLock("orders/{#id}")
        public String pay(String id, Runnable work) {
            work.run();
            return "paid " + id;
        }

        @QuorumLock(value = "orders/{#id}", maxWait = "60s")
        public void payInTurn(String id, Runnable work) {
            work.run();
        }

        @QuorumLock(value = "orders/{#id}", ttl = "2s")
        public String payQuickly(String id, Runnable work) {
            return pay(id, work);
        }

        @Transactional
        @QuorumLock("orders/{#id}")
        public void payInTransaction(String id) {}
    }

    private ConfigurableApplicationContext start(String... settings) {
        return new SpringApplicationBuilder(Application.class)
                .properties(settings)
                .run(
                        "--quorumlock.url=" + relay.url(),
                        "--quorumlock.timeout=1s",
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=off");
    }

    @Test
    void methodHoldsItsLock() throws InterruptedException {
        try (ConfigurableApplicationContext application = start()) {
            Orders orders = application.getBean(Orders.class);
            QuorumlockClient client = application.getBean(QuorumlockClient.class);
            Runnable second = () -> assertThrows(LockHeldException.class, () -> orders.pay(id, () -> {}));
            String paid = orders.pay(id, () -> {
                second.run();
                CompletableFuture.runAsync(second).join();
            });
            assertEquals("paid " + id, paid);
            try (Lease lease = client.acquire("orders/" + id)) {
                assertThrows(LockHeldException.class, () -> orders.pay(id, lease::checkHeld));
            }
            assertThrows(RefusedException.class, () -> orders.pay("a//b", () -> {}));
            relay.stop();
            assertThrows(UnavailableException.class, () -> orders.pay(id, () -> {}));
            relay.hang();
            assertThrows(UnavailableException.class, () -> orders.pay(id, () -> {}));
        }
    }

    @Test
    void threadsTakeTurns() {
        try (ConfigurableApplicationContext application = start()) {
            Orders orders = application.getBean(Orders.class);
            int[] paid = {0}; // not safe for threads
            Runnable several = () -> IntStream.range(0, 20).forEach(i -> orders.payInTurn(id, () -> paid[0]++));
            CompletableFuture.allOf(CompletableFuture.runAsync(several), CompletableFuture.runAsync(several))
                    .join();
            assertEquals(40, paid[0]);
        }
    }

    @Test
    void lockSurvivesARestartOfTheService() {
        try (ConfigurableApplicationContext application = start()) {
            Orders orders = application.getBean(Orders.class);
            String paid = orders.pay(id, () -> {
                relay.stop();
                relay.restart();
                assertThrows(LockHeldException.class, () -> orders.pay(id, () -> {}));
            });
            assertEquals("paid " + id, paid);
        }
    }

    @Test
    void methodThatRunsAtTheEndOfTheApplicationKeepsItsLock() throws Exception {
        CompletableFuture<Void> began = new CompletableFuture<>();
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        CompletableFuture<String> payment;
        try (ConfigurableApplicationContext application = start()) {
            Orders orders = application.getBean(Orders.class);
            payment = CompletableFuture.supplyAsync(() -> orders.pay(id, () -> {
                began.complete(null);
                goOn.join();
            }));
            began.get(30, TimeUnit.SECONDS);
        }
        QuorumlockClient client = relay.client();
        assertThrows(LockHeldException.class, () -> client.acquire("orders/" + id));
        goOn.complete(null);
        assertEquals("paid " + id, payment.get(30, TimeUnit.SECONDS));
        client.acquire("orders/" + id).close();
    }

    @Test
    void refusedTtlIsAnErrorThatNamesItsLimit() {
        try (ConfigurableApplicationContext application = start("quorumlock.ttl=2d")) {
            Orders orders = application.getBean(Orders.class);
            RefusedException refused = assertThrows(RefusedException.class, () -> orders.pay(id, () -> {}));
            assertTrue(refused.getMessage().contains("quorumlock.ttl.max"), refused::getMessage);
        }
    }

    @Test
    void lockIsHeldUntilTheCommit() {
        try (ConfigurableApplicationContext application = start()) {
            Orders orders = application.getBean(Orders.class);
            CountDownLatch committed = new CountDownLatch(1);
            application.getBean(Application.class).atCommit = () -> {
                assertThrows(LockHeldException.class, () -> orders.pay(id, () -> {}));
                committed.countDown();
            };
            orders.payInTransaction(id);
            assertEquals(0, committed.getCount());
        }
    }

    @Test
    void nullInANameIsAnError() {
        try (ConfigurableApplicationContext application = start()) {
            Orders orders = application.getBean(Orders.class);
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> orders.pay(null, () -> {}));
            assertEquals("#id is null in the name of a lock", e.getMessage());
        }
    }

    @Test
    void wrongAnnotationEndsTheStart() {
        assertEndsTheStart(UnknownParameter.class, "#order is not a parameter");
        assertEndsTheStart(WrongExpression.class, "No ending suffix '}'");
        assertEndsTheStart(WrongDuration.class, "'abc' is not a valid duration");
    }

    private static void assertEndsTheStart(Class<?> bean, String reason) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class, bean);
        BeanCreationException e = assertThrows(BeanCreationException.class, () -> application
                .run("--spring.main.banner-mode=off", "--logging.level.root=off")
                .close());
        assertTrue(e.getMessage().contains("@QuorumLock of "), e::getMessage);
        assertTrue(e.getMessage().contains(reason), e::getMessage);
    }

    static class UnknownParameter {
        @QuorumLock("orders/{#id}/{#p0}/{#ids.?[#this == #order]}")
        public void pay(String id, List<String> ids) {}
    }

    static class WrongExpression {
        @QuorumLock("orders/{#id")
        public void pay(String id) {}
    }

    static class WrongDuration {
        @QuorumLock(value = "orders/42", ttl = "abc")
        public void pay() {}
    }

    @Test
    void interruptEndsTheWait() {
        try (ConfigurableApplicationContext application = start()) {
            Orders orders = application.getBean(Orders.class);
            Thread.currentThread().interrupt();
            assertThrows(IllegalStateException.class, () -> orders.pay(id, () -> {}));
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void suspendedMethodGoesOnAndItsCallerLearnsOfTheLoss() throws InterruptedException {
        try (OtherProcess payment = new OtherProcess(Payment.class, id);
                QuorumlockClient client = relay.client()) {
            assertEquals("began", payment.readLine());
            payment.suspend();
            try (Lease lease = client.acquire("orders/" + id, new Options().maxWait(Duration.ofSeconds(60)))) {
                payment.resume();
                payment.println("go on");
                assertEquals("ended", payment.readLine());
                String seen = payment.readLine();
                assertTrue(seen.contains("LeaseLostException: orders/" + id + ": lease lost: "), seen);
                assertTrue(lease.extend(Duration.ofSeconds(30)));
            }
        }
    }

    @Test
    void lockOfAKilledProcessEnds() {
        try (OtherProcess payment = new OtherProcess(Payment.class, id)) {
            assertEquals("began", payment.readLine());
        }
        Relay.awaitFree("orders/" + id);
    }

    /** Pays an order, which ends after a line of input. */
    static final class Payment {
        public static void main(String[] arguments) {
            SpringApplication application = new SpringApplication(Application.class);
            application.setLogStartupInfo(false);
            try (ConfigurableApplicationContext context =
                    application.run("--spring.main.banner-mode=off", "--logging.level.root=off")) {
                context.getBean(Orders.class).payQuickly(arguments[0], () -> {
                    System.out.println("began");
                    new Scanner(System.in).nextLine();
                    System.out.println("ended");
                });
            } catch (LeaseLostException e) {
                System.out.println(e);
            }
        }
    }

    @Test
    void healthFollowsTheService() {
        try (ConfigurableApplicationContext application = start()) {
            assertEquals("UP", health(application));
            relay.stop();
            assertEquals("DOWN", health(application));
            relay.restart();
            assertEquals("UP", health(application));
        }
    }

    /** The types are others in Spring Boot 4. */
    private static Object health(ConfigurableApplicationContext application) {
        Expression status = new SpelExpressionParser().parseExpression("health().status.code");
        return status.getValue(application.getBean("quorumlockHealthIndicator"));
    }

    @Test
    void settingsDoNotShowTheKey() {
        try (ConfigurableApplicationContext application = start("quorumlock.key=secret")) {
            QuorumlockProperties settings = application.getBean(QuorumlockProperties.class);
            assertEquals("secret", settings.key());
            assertFalse(settings.toString().contains("secret"), settings::toString);
        }
    }
}
