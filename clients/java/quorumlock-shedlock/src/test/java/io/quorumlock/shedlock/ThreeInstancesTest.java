// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.shedlock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.client.QuorumlockClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Three instances of an application, whose clocks differ by up to half a second, with a job of 10 ms each five seconds. */
class ThreeInstancesTest {
    private static final int FIRINGS = Integer.getInteger("schedulers.firings", 2);

    private final String name = "three/" + UUID.randomUUID();
    private final BlockingQueue<Long> runs = new LinkedBlockingQueue<>();

    @Test
    void eachFiringRunsOnce() throws InterruptedException {
        List<AnnotationConfigApplicationContext> instances =
                Stream.of(0, 250, 500).map(this::start).toList();
        List<Long> seen = new ArrayList<>();
        long first = firing(Clock.systemUTC()) + 2; // all instances run by then
        try {
            for (long next = 0; next < first + FIRINGS; seen.add(next)) {
                next = Objects.requireNonNull(runs.poll(30, TimeUnit.SECONDS), "no run in 30 s");
            }
        } finally {
            instances.forEach(AnnotationConfigApplicationContext::close);
        }
        List<Long> counted = seen.stream()
                .filter(firing -> firing >= first && firing < first + FIRINGS)
                .toList();
        assertEquals(LongStream.range(first, first + FIRINGS).boxed().toList(), counted);
    }

    private AnnotationConfigApplicationContext start(int lateMs) {
        Clock clock = Clock.offset(Clock.systemUTC(), Duration.ofMillis(-lateMs));
        AnnotationConfigApplicationContext instance = new AnnotationConfigApplicationContext();
        instance.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", Map.of("name", name)));
        instance.registerBean(Clock.class, () -> clock);
        instance.registerBean(Job.class, () -> new Job(clock, runs));
        instance.register(Instance.class);
        instance.refresh();
        return instance;
    }

    /** Returns the number of the last firing. A timer may be a little early. */
    private static long firing(Clock clock) {
        return clock.instant().plusMillis(100).getEpochSecond() / 5;
    }

    @Configuration
    @EnableScheduling
    @EnableSchedulerLock(defaultLockAtMostFor = "30s")
    static class Instance {
        @Bean(destroyMethod = "")
        QuorumlockClient client() {
            return QuorumlockClient.fromEnvironment();
        }

        @Bean
        LockProvider locks(QuorumlockClient client) {
            return new QuorumlockLockProvider(client);
        }

        @Bean
        ThreadPoolTaskScheduler taskScheduler(Clock clock) {
            ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
            scheduler.setClock(clock);
            return scheduler;
        }
    }

    static class Job {
        private final Clock clock;
        private final BlockingQueue<Long> runs;

        Job(Clock clock, BlockingQueue<Long> runs) {
            this.clock = clock;
            this.runs = runs;
        }

        /** The lock is kept for two seconds longer than the clocks differ, and two less than the interval, for busy machines. */
        @Scheduled(cron = "*/5 * * * * *")
        @SchedulerLock(name = "${name}", lockAtLeastFor = "2500ms")
        public void run() {
            runs.add(firing(clock));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }
}
