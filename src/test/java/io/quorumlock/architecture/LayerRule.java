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
    LOCK_DEPENDS_ONLY_ON_THE_LOOP(layer("core.lock", "core.loop java"), "core.lock", "io.vertx.core.Vertx vertx;"),
    FLEET_DEPENDS_ONLY_ON_THE_LOOP(
            layer("core.fleet", "core.loop java org.jboss.logging.."),
            "core.fleet",
            "io.quorumlock.core.lock.Lease lease;"),
    LOOP_DEPENDS_ONLY_ON_THE_JDK(layer("core.loop", "java"), "core.loop", "io.quorumlock.core.lock.Lease lease;"),
    REDLOCK_DEPENDS_ON_THE_CORE(
            layer("engines.redlock", "core.loop core.fleet core.lock java"),
            "engines.redlock",
            "io.quorumlock.engines.redis.KeyPrefixes keys;"),
    CONSENSUS_DEPENDS_ON_THE_CORE(
            layer(
                    "engines.consensus",
                    "core.loop core.fleet core.lock java com.fasterxml.jackson.. org.jboss.logging.."),
            "engines.consensus",
            "io.quorumlock.engines.redlock.Redlock engine;"),
    ZOOKEEPER_DEPENDS_ON_THE_STORE_OF_RECORDS(
            layer(
                    "engines.zookeeper",
                    "engines.consensus core.loop core.fleet core.lock java org.apache.zookeeper.. org.jboss.logging.."),
            "engines.zookeeper",
            "io.quorumlock.engines.masters.RedisFleet fleet;"),
    ONLY_ZOOKEEPER_DEPENDS_ON_ITS_CLIENT(
            onlyIn(
                    "engines.zookeeper",
                    resideInAPackage("org.apache.zookeeper..")
                            .and(DescribedPredicate.not(resideInAnyPackage(
                                    "org.apache.zookeeper.server..", "org.apache.zookeeper.util..")))),
            "engines.consensus",
            "org.apache.zookeeper.ZooKeeper client;"),
    ETCD_DEPENDS_ON_THE_STORE_OF_RECORDS(
            layer(
                    "engines.etcd",
                    "engines.consensus core.fleet core.lock core.loop java io.vertx.core.. io.vertx.grpc.. com.google.protobuf.. org.jboss.logging.."),
            "engines.etcd",
            "io.quorumlock.engines.masters.RedisFleet fleet;"),
    WAITING_DEPENDS_ON_THE_CORE(
            layer("service.waiting", "core.lock core.loop java"),
            "service.waiting",
            "io.quorumlock.engines.redlock.Redlock engine;"),
    REDIS_DEPENDS_ON_REDLOCK(
            layer(
                    "engines.redis",
                    "engines.redlock core.fleet core.lock core.loop java io.vertx.core.. io.vertx.redis.. org.jboss.logging.."),
            "engines.redis",
            "io.vertx.ext.web.RoutingContext context;"),
    MASTERS_DEPEND_ON_REDIS(
            layer(
                    "engines.masters",
                    "engines.redis engines.redlock core.fleet core.lock core.loop java io.vertx.core.. io.vertx.redis.. org.jboss.logging.."),
            "engines.masters",
            "io.vertx.ext.web.RoutingContext context;"),
    EMBEDDED_DEPENDS_ONLY_ON_THE_FLEET(
            layer(
                    "embedded",
                    "core.fleet java redis.embedded.. javax.security.sasl.. org.apache.zookeeper.server.. org.apache.zookeeper.util.. org.jboss.logging.."),
            "embedded",
            "io.quorumlock.core.lock.Lease lease;"),
    KEYS_DEPEND_ON_LOCK_AND_LOOP(
            layer(
                    "http.keys",
                    "core.lock core.loop java com.fasterxml.jackson.. org.jboss.logging.. io.micrometer.. jakarta.inject.."),
            "http.keys",
            "io.vertx.core.http.HttpServerRequest request;"),
    HTTP_DEPENDS_ONLY_ON_CORE_AND_WAITING(
            noClasses()
                    .that(resideInAPackage("io.quorumlock.http.."))
                    .should()
                    .dependOnClassesThat(projectWithout(
                            "http",
                            "core.fleet",
                            "core.lock",
                            "core.loop",
                            "http.keys",
                            "settings",
                            "service.waiting")),
            "http",
            "io.quorumlock.engines.redlock.Redlock engine;"),
    FEATURES_STAND_ON_HTTP(
            noClasses()
                    .that(layers("features"))
                    .should()
                    .dependOnClassesThat(
                            projectWithout("features", "http", "core.lock", "core.loop", "http.keys", "settings")),
            "features.mcp",
            "io.quorumlock.engines.redlock.Redlock engine;"),
    FEATURES_DO_NOT_KNOW_EACH_OTHER(
            slices().matching("io.quorumlock.features.(*)..").should().notDependOnEachOther(),
            "features.mcp",
            "io.quorumlock.features.terraform.TerraformConfig other;"),
    ONLY_APP_KNOWS_FEATURES(
            noClasses().that(projectWithout("features", "app")).should().dependOnClassesThat(layers("features")),
            "http",
            "io.quorumlock.features.mcp.McpConfig feature;"),
    METRICS_DEPEND_ONLY_ON_CORE_AND_WAITING(
            noClasses()
                    .that(layers("service.metrics"))
                    .should()
                    .dependOnClassesThat(
                            projectWithout("service.metrics", "core.fleet", "core.lock", "service.waiting")),
            "service.metrics",
            "io.quorumlock.engines.masters.RedisFleet fleet;"),
    HEALTH_DEPENDS_ONLY_ON_THE_FLEET(
            noClasses()
                    .that(layers("service.health"))
                    .should()
                    .dependOnClassesThat(projectWithout("service.health", "core.fleet")),
            "service.health",
            "io.quorumlock.http.keys.KeyId key;"),
    ONLY_HTTP_FEATURES_AND_APP_DEPEND_ON_KEYS(
            noClasses()
                    .that(projectWithout("http", "features", "app", "http.keys"))
                    .should()
                    .dependOnClassesThat(layers("http.keys")),
            "service.waiting",
            "io.quorumlock.http.keys.KeyId key;"),
    ONLY_HTTP_DEPENDS_ON_OPENTELEMETRY(
            onlyIn("http", resideInAPackage("io.opentelemetry..")),
            "engines.redlock",
            "io.opentelemetry.api.trace.Span span;"),
    SETTINGS_STAND_ALONE(
            layer(
                    "settings",
                    "java io.smallrye.config.. org.eclipse.microprofile.config.. io.quarkus.runtime.configuration.."),
            "settings",
            "io.quorumlock.engines.redis.MasterAddress address;"),
    ONLY_HTTP_FEATURES_AND_APP_DEPEND_ON_SETTINGS(
            noClasses()
                    .that(projectWithout("settings", "http", "features", "app"))
                    .should()
                    .dependOnClassesThat(layers("settings")),
            "service.metrics",
            "io.quorumlock.settings.QuorumlockConfig config;"),
    NOTHING_DEPENDS_ON_APP(
            noClasses().that(projectWithout("app")).should().dependOnClassesThat(layers("app")),
            "settings",
            "io.quorumlock.app.Main main;"),
    ONLY_REDIS_AND_MASTERS_DEPEND_ON_THE_REDIS_CLIENT(
            noClasses()
                    .that(projectWithout("engines.redis", "engines.masters"))
                    .should()
                    .dependOnClassesThat(resideInAPackage("io.vertx.redis..")),
            "app",
            "io.vertx.redis.client.Redis client;"),
    METERS_ARE_ABOVE_THE_ENGINES(
            noClasses()
                    .that(projectWithout("service.metrics", "http", "features"))
                    .should()
                    .dependOnClassesThat(resideInAPackage("io.micrometer..")),
            "engines.redlock",
            "io.micrometer.core.instrument.Counter counter;"),
    ONLY_HTTP_AND_FEATURES_DEPEND_ON_THE_ROUTER(
            noClasses()
                    .that(projectWithout("http", "features"))
                    .should()
                    .dependOnClassesThat(resideInAPackage("io.vertx.ext.web..")),
            "service.waiting",
            "io.vertx.ext.web.RoutingContext context;"),
    ONLY_HTTP_FEATURES_KEYS_AND_CONSENSUS_DEPEND_ON_JSON(
            noClasses()
                    .that(projectWithout("http", "features", "http.keys", "engines.consensus"))
                    .should()
                    .dependOnClassesThat(resideInAPackage("com.fasterxml.jackson..")),
            "service.health",
            "com.fasterxml.jackson.databind.ObjectMapper json;"),
    ONLY_EMBEDDED_STARTS_PROCESSES(
            onlyIn("embedded", assignableTo(ProcessBuilder.class)), "app", "ProcessBuilder builder;"),
    LAYERS_FORM_NO_CYCLE(
            slices().matching("io.quorumlock.(**)").should().beFreeOfCycles(),
            "core.lock",
            "io.quorumlock.engines.redlock.Redlock engine;"),
    TIME_AND_RANDOMNESS_ARE_INJECTED(
            noClasses()
                    .that()
                    .resideOutsideOfPackage("io.quorumlock.app..")
                    .should()
                    .accessTargetWhere(DescribedPredicate.describe(
                            "reads a clock, sleeps or creates random numbers", LayerRule::isTimeOrRandomness)),
            "engines.redlock",
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
            "http",
            "interface Release {} static final class Maybe implements Release {}"),
    NOTHING_IS_INJECTED_INTO_FIELDS(
            fields().should().notBeAnnotatedWith("jakarta.inject.Inject"),
            "service.health",
            "@jakarta.inject.Inject String x;"),
    NO_METHOD_IS_DEAD(codeUnits().should(DeadCode.haveCaller()), "core.lock", "void unused() {}"),
    NO_CLASS_IS_DEAD(classes().should(DeadCode.haveUser()), "core.lock", "");

    static final Set<String> LAYERS = Set.of(
            ("core.lock core.loop core.fleet engines.redlock engines.redis engines.masters engines.consensus engines.zookeeper "
                            + "engines.etcd embedded service.waiting http.keys http features service.metrics service.health settings app")
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
        boolean whole = name.endsWith("..");
        return whole ? name : name.equals("java") ? "java.." : "io.quorumlock." + name + "..";
    }

    private static ArchRule onlyIn(String layer, DescribedPredicate<JavaClass> technology) {
        return noClasses().that(projectWithout(layer)).should().dependOnClassesThat(technology);
    }
}
