package io.quorumlock.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Is one wall of the house, with a class that would break through it. */
enum Wall {
    LOCK_KNOWS_ONLY_THE_JDK(room("lock", "lock", "java"), "lock", "io.vertx.core.Vertx vertx;"),
    TIME_KNOWS_ONLY_THE_JDK(room("time", "time", "java"), "time", "io.quorumlock.lock.Lease lease;"),
    REDLOCK_KNOWS_THE_LANGUAGE_AND_TIME(
            room("redlock", "redlock", "lock", "time", "java"), "redlock", "io.quorumlock.redis.KeyPrefixes keys;"),
    WAITING_KNOWS_THE_LANGUAGE_AND_TIME(
            room("waiting", "waiting", "lock", "time", "java"), "waiting", "io.quorumlock.redlock.Redlock engine;"),
    EVENTS_KNOWS_THE_LANGUAGE_AND_TIME(
            room("events", "events", "lock", "time", "java"), "events", "io.quorumlock.redlock.Redlock engine;"),
    SESSION_KNOWS_THE_LANGUAGE_AND_TIME(
            room("session", "session", "lock", "time", "java"), "session", "io.quorumlock.redlock.Redlock engine;"),
    REDIS_KNOWS_NO_HTTP_AND_NO_CONFIG(
            room(
                    "redis",
                    "redis",
                    "redlock",
                    "waiting",
                    "events",
                    "session",
                    "lock",
                    "time",
                    "java",
                    "io.vertx.core..",
                    "io.vertx.redis..",
                    "org.jboss.logging.."),
            "redis",
            "io.vertx.ext.web.RoutingContext context;"),
    EMBEDDED_STANDS_ALONE(
            room("embedded", "embedded", "java", "redis.embedded.."), "embedded", "io.quorumlock.lock.Lease lease;"),
    SECURITY_KNOWS_THE_LANGUAGE_AND_TIME(
            room("security", "security", "lock", "time", "java", "com.fasterxml.jackson.core", "org.jboss.logging.."),
            "security",
            "io.vertx.core.http.HttpServerRequest request;"),
    HTTP_KNOWS_ONLY_THE_LANGUAGE_AND_SECURITY(
            noClasses()
                    .that(resideInAPackage("io.quorumlock.http.."))
                    .should()
                    .dependOnClassesThat(houseWithout("http", "lock", "security")),
            "http",
            "io.quorumlock.redlock.Redlock engine;"),
    METRICS_KNOW_ONLY_THE_LANGUAGE_AND_SECURITY(
            noClasses()
                    .that(rooms("metrics"))
                    .should()
                    .dependOnClassesThat(houseWithout("metrics", "lock", "security")),
            "metrics",
            "io.quorumlock.redis.RedisFleet fleet;"),
    HEALTH_KNOWS_ONLY_THE_LANGUAGE(
            noClasses().that(rooms("health")).should().dependOnClassesThat(houseWithout("health", "lock")),
            "health",
            "io.quorumlock.security.KeyId key;"),
    ONLY_HTTP_METRICS_AND_CONFIG_KNOW_SECURITY(
            noClasses()
                    .that(houseWithout("http", "metrics", "config", "security"))
                    .should()
                    .dependOnClassesThat(rooms("security")),
            "waiting",
            "io.quorumlock.security.KeyId key;"),
    TRACING_GOES_AROUND_THE_ALGORITHM(
            room(
                    "tracing",
                    "tracing",
                    "redlock",
                    "lock",
                    "time",
                    "java",
                    "io.opentelemetry..",
                    "io.prometheus.client.exemplars..",
                    "io.quarkus.vertx.http.runtime.filters..",
                    "io.smallrye.common.vertx..",
                    "io.vertx.core..",
                    "io.vertx.ext.web..",
                    "org.jboss.logging.."),
            "tracing",
            "io.quorumlock.waiting.WaitingRoom room;"),
    ONLY_TRACING_KNOWS_OPENTELEMETRY(
            onlyIn("tracing", resideInAPackage("io.opentelemetry..")),
            "config",
            "io.opentelemetry.api.trace.Span span;"),
    ONLY_CONFIG_KNOWS_TRACING(
            noClasses().that(houseWithout("tracing", "config")).should().dependOnClassesThat(rooms("tracing")),
            "http",
            "io.quorumlock.tracing.Tracing tracing;"),
    NOBODY_KNOWS_CONFIG(
            noClasses()
                    .that()
                    .resideOutsideOfPackage("io.quorumlock.config..")
                    .should()
                    .dependOnClassesThat(rooms("config")),
            "metrics",
            "io.quorumlock.config.QuorumlockConfig config;"),
    ONLY_REDIS_KNOWS_THE_REDIS_CLIENT(
            onlyIn("redis", resideInAPackage("io.vertx.redis..")), "config", "io.vertx.redis.client.Redis client;"),
    ONLY_METRICS_KNOWS_METERS(
            onlyIn("metrics", resideInAPackage("io.micrometer..")),
            "http",
            "io.micrometer.core.instrument.Counter counter;"),
    ONLY_HTTP_AND_TRACING_KNOW_THE_ROUTER(
            noClasses()
                    .that(houseWithout("http", "tracing"))
                    .should()
                    .dependOnClassesThat(resideInAPackage("io.vertx.ext.web..")),
            "security",
            "io.vertx.ext.web.RoutingContext context;"),
    ONLY_HTTP_AND_SECURITY_KNOW_JSON(
            noClasses()
                    .that(houseWithout("http", "security"))
                    .should()
                    .dependOnClassesThat(resideInAPackage("com.fasterxml.jackson..")),
            "health",
            "com.fasterxml.jackson.databind.ObjectMapper json;"),
    ONLY_EMBEDDED_STARTS_PROCESSES(
            onlyIn("embedded", assignableTo(ProcessBuilder.class)), "config", "ProcessBuilder builder;"),
    ROOMS_FORM_NO_CYCLE(
            slices().matching("io.quorumlock.(*)..").should().beFreeOfCycles(),
            "lock",
            "io.quorumlock.redlock.Redlock engine;"),
    TIME_AND_CHANCE_ARE_PASSED_IN(
            noClasses()
                    .that()
                    .resideOutsideOfPackage("io.quorumlock.config..")
                    .should()
                    .accessTargetWhere(DescribedPredicate.describe(
                            "reads a clock, sleeps or draws by itself", Wall::isTimeOrChance)),
            "redlock",
            "long now = System.nanoTime();"),
    OUTCOMES_ARE_RECORDS(
            classes()
                    .that(DescribedPredicate.describe("are outcomes", Wall::isOutcome))
                    .should()
                    .beRecords(),
            "http",
            "interface Release {} static final class Maybe implements Release {}"),
    NOTHING_IS_INJECTED_INTO_FIELDS(
            fields().should().notBeAnnotatedWith("jakarta.inject.Inject"),
            "health",
            "@jakarta.inject.Inject String x;");

    static final Set<String> ROOMS = Set.of(
            "lock",
            "time",
            "redlock",
            "waiting",
            "events",
            "session",
            "redis",
            "embedded",
            "security",
            "http",
            "metrics",
            "health",
            "tracing",
            "config");

    private static final Set<String> OUTCOMES = Set.of(
            "Acquisition",
            "Extension",
            "Release",
            "Inspection",
            "Listing",
            "ForcedRelease",
            "NodeReply",
            "SessionNews",
            "Beat",
            "Admission",
            "Permission",
            "WaitPermission");

    final ArchRule rule;
    /** Where the breach stands. */
    final String room;
    /** Its members. */
    final String breach;

    Wall(ArchRule rule, String room, String breach) {
        this.rule = rule;
        this.room = room;
        this.breach = breach;
    }

    private static boolean isTimeOrChance(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getFullName();
        String name = access.getName();
        return owner.equals(System.class.getName())
                        && Set.of("nanoTime", "currentTimeMillis").contains(name)
                || owner.equals(Instant.class.getName()) && name.equals("now")
                || owner.equals(Thread.class.getName()) && name.equals("sleep")
                || owner.equals(UUID.class.getName()) && name.equals("randomUUID")
                || owner.equals(ThreadLocalRandom.class.getName())
                || access.getTargetOwner().isAssignableTo(Random.class) && name.equals("<init>");
    }

    private static boolean isOutcome(JavaClass type) {
        return !type.isInterface()
                && type.getAllRawInterfaces().stream().anyMatch(face -> OUTCOMES.contains(face.getSimpleName()));
    }

    private static DescribedPredicate<JavaClass> rooms(String... names) {
        return resideInAnyPackage(Arrays.stream(names).map(Wall::packageOf).toArray(String[]::new));
    }

    private static DescribedPredicate<JavaClass> houseWithout(String... names) {
        return resideInAPackage("io.quorumlock..").and(DescribedPredicate.not(rooms(names)));
    }

    /** Rooms are named alone, other packages whole. */
    private static ArchRule room(String name, String... allowed) {
        return classes().that(rooms(name)).should().onlyDependOnClassesThat(rooms(allowed));
    }

    private static String packageOf(String name) {
        boolean whole = name.contains(".");
        return whole ? name : name.equals("java") ? "java.." : "io.quorumlock." + name + "..";
    }

    private static ArchRule onlyIn(String room, DescribedPredicate<JavaClass> technology) {
        return noClasses().that(houseWithout(room)).should().dependOnClassesThat(technology);
    }
}
