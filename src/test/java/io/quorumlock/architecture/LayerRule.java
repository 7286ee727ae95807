// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
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
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;

/** A dependency rule of the packages, with a class that would violate it. */
enum LayerRule {
    LOCK_DEPENDS_ONLY_ON_TIME(layer("lock", "time java"), "lock", "io.vertx.core.Vertx vertx;"),
    FLEET_DEPENDS_ONLY_ON_TIME(
            layer("fleet", "time java org.jboss.logging.."), "fleet", "io.quorumlock.lock.Lease lease;"),
    ENGINE_DEPENDS_ONLY_ON_TIME(layer("engine", "time java"), "engine", "io.quorumlock.lock.Lease lease;"),
    TIME_DEPENDS_ONLY_ON_THE_JDK(layer("time", "java"), "time", "io.quorumlock.lock.Lease lease;"),
    REDLOCK_DEPENDS_ON_THE_DOMAIN_AND_TIME(
            layer("redlock", "engine fleet lock time java"), "redlock", "io.quorumlock.redis.KeyPrefixes keys;"),
    CONSENSUS_DEPENDS_ON_THE_DOMAIN_AND_TIME(
            layer("consensus", "engine fleet lock time java com.fasterxml.jackson.. org.jboss.logging.."),
            "consensus",
            "io.quorumlock.redlock.Redlock engine;"),
    ZOOKEEPER_DEPENDS_ON_THE_STORE_OF_RECORDS(
            layer("zookeeper", "consensus engine fleet lock time java org.apache.zookeeper.. org.jboss.logging.."),
            "zookeeper",
            "io.quorumlock.redis.RedisFleet fleet;"),
    ONLY_ZOOKEEPER_DEPENDS_ON_ITS_CLIENT(
            onlyIn(
                    "zookeeper",
                    resideInAPackage("org.apache.zookeeper..")
                            .and(DescribedPredicate.not(resideInAPackage("org.apache.zookeeper.server..")))),
            "consensus",
            "org.apache.zookeeper.ZooKeeper client;"),
    ETCD_DEPENDS_ON_THE_STORE_OF_RECORDS(
            layer(
                    "etcd",
                    "consensus fleet lock time java io.vertx.core.. io.vertx.grpc.. com.google.protobuf.. org.jboss.logging.."),
            "etcd",
            "io.quorumlock.redis.RedisFleet fleet;"),
    WAITING_DEPENDS_ON_THE_DOMAIN_AND_TIME(
            layer("waiting", "lock time java"), "waiting", "io.quorumlock.redlock.Redlock engine;"),
    REDIS_DEPENDS_ON_NEITHER_REST_NOR_APP(
            layer("redis", "redlock fleet lock time java io.vertx.core.. io.vertx.redis.. org.jboss.logging.."),
            "redis",
            "io.vertx.ext.web.RoutingContext context;"),
    EMBEDDED_STANDS_ALONE(
            layer("embedded", "java redis.embedded.. javax.security.sasl.. org.apache.zookeeper.server.."),
            "embedded",
            "io.quorumlock.lock.Lease lease;"),
    SECURITY_DEPENDS_ON_THE_DOMAIN_AND_TIME(
            layer(
                    "security",
                    "lock time java com.fasterxml.jackson.. org.jboss.logging.. io.micrometer.. io.quarkus.runtime.. jakarta.."),
            "security",
            "io.vertx.core.http.HttpServerRequest request;"),
    REST_DEPENDS_ONLY_ON_THE_DOMAIN_AND_SECURITY(
            noClasses()
                    .that(resideInAPackage("io.quorumlock.rest.."))
                    .should()
                    .dependOnClassesThat(
                            projectWithout("rest", "fleet", "lock", "time", "security", "settings", "waiting")),
            "rest",
            "io.quorumlock.redlock.Redlock engine;"),
    FEATURES_STAND_ON_REST(
            noClasses()
                    .that(layers("features"))
                    .should()
                    .dependOnClassesThat(projectWithout("features", "rest", "lock", "time", "security", "settings")),
            "features.mcp",
            "io.quorumlock.redlock.Redlock engine;"),
    FEATURES_DO_NOT_KNOW_EACH_OTHER(
            slices().matching("io.quorumlock.features.(*)..").should().notDependOnEachOther(),
            "features.mcp",
            "io.quorumlock.features.terraform.TerraformConfig other;"),
    ONLY_APP_KNOWS_FEATURES(
            noClasses().that(projectWithout("features", "app")).should().dependOnClassesThat(layers("features")),
            "rest",
            "io.quorumlock.features.mcp.McpConfig feature;"),
    METRICS_DEPENDS_ONLY_ON_THE_DOMAIN(
            noClasses()
                    .that(layers("metrics"))
                    .should()
                    .dependOnClassesThat(projectWithout("metrics", "fleet", "lock", "waiting")),
            "metrics",
            "io.quorumlock.redis.RedisFleet fleet;"),
    HEALTH_DEPENDS_ONLY_ON_THE_DOMAIN(
            noClasses().that(layers("health")).should().dependOnClassesThat(projectWithout("health", "fleet")),
            "health",
            "io.quorumlock.security.KeyId key;"),
    ONLY_REST_FEATURES_AND_APP_DEPEND_ON_SECURITY(
            noClasses()
                    .that(projectWithout("rest", "features", "app", "security"))
                    .should()
                    .dependOnClassesThat(layers("security")),
            "waiting",
            "io.quorumlock.security.KeyId key;"),
    ONLY_REST_DEPENDS_ON_OPENTELEMETRY(
            onlyIn("rest", resideInAPackage("io.opentelemetry..")), "redlock", "io.opentelemetry.api.trace.Span span;"),
    SETTINGS_STAND_ALONE(
            layer(
                    "settings",
                    "java io.smallrye.config.. org.eclipse.microprofile.config.. io.quarkus.runtime.configuration.."),
            "settings",
            "io.quorumlock.redis.MasterAddress address;"),
    ONLY_REST_FEATURES_AND_APP_DEPEND_ON_SETTINGS(
            noClasses()
                    .that(projectWithout("settings", "rest", "features", "app"))
                    .should()
                    .dependOnClassesThat(layers("settings")),
            "metrics",
            "io.quorumlock.settings.QuorumlockConfig config;"),
    NOTHING_DEPENDS_ON_APP(
            noClasses().that(projectWithout("app")).should().dependOnClassesThat(layers("app")),
            "settings",
            "io.quorumlock.app.Main main;"),
    ONLY_REDIS_DEPENDS_ON_THE_REDIS_CLIENT(
            onlyIn("redis", resideInAPackage("io.vertx.redis..")), "app", "io.vertx.redis.client.Redis client;"),
    METERS_ARE_ABOVE_THE_ENGINES(
            noClasses()
                    .that(projectWithout("metrics", "security", "rest", "features"))
                    .should()
                    .dependOnClassesThat(resideInAPackage("io.micrometer..")),
            "redlock",
            "io.micrometer.core.instrument.Counter counter;"),
    ONLY_REST_AND_FEATURES_DEPEND_ON_THE_ROUTER(
            noClasses()
                    .that(projectWithout("rest", "features"))
                    .should()
                    .dependOnClassesThat(resideInAPackage("io.vertx.ext.web..")),
            "security",
            "io.vertx.ext.web.RoutingContext context;"),
    ONLY_REST_FEATURES_SECURITY_AND_CONSENSUS_DEPEND_ON_JSON(
            noClasses()
                    .that(projectWithout("rest", "features", "security", "consensus"))
                    .should()
                    .dependOnClassesThat(resideInAPackage("com.fasterxml.jackson..")),
            "health",
            "com.fasterxml.jackson.databind.ObjectMapper json;"),
    ONLY_EMBEDDED_STARTS_PROCESSES(
            onlyIn("embedded", assignableTo(ProcessBuilder.class)), "app", "ProcessBuilder builder;"),
    LAYERS_FORM_NO_CYCLE(
            slices().matching("io.quorumlock.(*)..").should().beFreeOfCycles(),
            "lock",
            "io.quorumlock.redlock.Redlock engine;"),
    TIME_AND_RANDOMNESS_ARE_INJECTED(
            noClasses()
                    .that()
                    .resideOutsideOfPackage("io.quorumlock.app..")
                    .should()
                    .accessTargetWhere(DescribedPredicate.describe(
                            "reads a clock, sleeps or creates random numbers", LayerRule::isTimeOrRandomness)),
            "redlock",
            "long now = System.nanoTime();"),
    /** Embedded servers run outside of the engine. */
    TIMEOUTS_USE_THE_SCHEDULER(
            noClasses()
                    .that(projectWithout("embedded"))
                    .should()
                    .accessTargetWhere(
                            DescribedPredicate.describe("uses a timer of the JDK", LayerRule::isTimerOfTheJdk)),
            "app",
            "Object x = new java.util.concurrent.CompletableFuture<>().orTimeout(1, java.util.concurrent.TimeUnit.DAYS);"),
    OUTCOMES_ARE_RECORDS(
            classes()
                    .that(DescribedPredicate.describe("are outcomes", LayerRule::isOutcome))
                    .should()
                    .beRecords(),
            "rest",
            "interface Release {} static final class Maybe implements Release {}"),
    NOTHING_IS_INJECTED_INTO_FIELDS(
            fields().should().notBeAnnotatedWith("jakarta.inject.Inject"),
            "health",
            "@jakarta.inject.Inject String x;"),
    NO_METHOD_IS_DEAD(codeUnits().should(DeadCode.haveCaller()), "lock", "void unused() {}"),
    NO_CLASS_IS_DEAD(classes().should(DeadCode.haveUser()), "lock", "");

    static final Set<String> LAYERS = Set.of(("lock engine fleet time redlock consensus waiting redis zookeeper "
                    + "etcd embedded security rest features metrics health settings app")
            .split(" "));

    private static final Set<String> OUTCOMES = Set.of(
            "Acquisition",
            "Extension",
            "Release",
            "Inspection",
            "Listing",
            "ForcedRelease",
            "MasterReply",
            "StoreReply",
            "Admission",
            "Authentication",
            "AdmissionResult",
            "PlacePermission");

    final ArchRule rule;
    /** The package of the violation. */
    final String layer;
    /** The members of the class that violates the rule. */
    final String violation;

    LayerRule(ArchRule rule, String layer, String violation) {
        this.rule = rule;
        this.layer = layer;
        this.violation = violation;
    }

    private static boolean isTimeOrRandomness(JavaAccess<?> access) {
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

    private static boolean isTimerOfTheJdk(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        return owner.isEquivalentTo(CompletableFuture.class)
                        && Set.of("orTimeout", "completeOnTimeout", "delayedExecutor")
                                .contains(access.getName())
                || owner.isAssignableTo(ScheduledExecutorService.class)
                || owner.isAssignableTo(Timer.class);
    }

    private static boolean isOutcome(JavaClass type) {
        return !type.isInterface()
                && type.getAllRawInterfaces().stream().anyMatch(face -> OUTCOMES.contains(face.getSimpleName()));
    }

    private static DescribedPredicate<JavaClass> layers(String... names) {
        return resideInAnyPackage(Arrays.stream(names).map(LayerRule::packageOf).toArray(String[]::new));
    }

    private static DescribedPredicate<JavaClass> projectWithout(String... names) {
        return resideInAPackage("io.quorumlock..").and(DescribedPredicate.not(layers(names)));
    }

    /** @param others that it may depend on: layers by their simple names, other packages by their full names */
    private static ArchRule layer(String name, String others) {
        String[] allowed = (name + " " + others).split(" ");
        return classes().that(layers(name)).should().onlyDependOnClassesThat(layers(allowed));
    }

    private static String packageOf(String name) {
        boolean whole = name.contains(".");
        return whole ? name : name.equals("java") ? "java.." : "io.quorumlock." + name + "..";
    }

    private static ArchRule onlyIn(String layer, DescribedPredicate<JavaClass> technology) {
        return noClasses().that(projectWithout(layer)).should().dependOnClassesThat(technology);
    }
}
