package io.quorumlock.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** Holds the walls of the house: which room may know what. */
@AnalyzeClasses(packages = "io.quorumlock", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String HOUSE = "io.quorumlock..";
    private static final Set<String> ROOMS =
            Set.of("lock", "time", "redlock", "redis", "embedded", "http", "metrics", "health", "config");

    /** Without it every rule below would pass on an empty import. */
    @ArchTest
    static void everyRoomWasImported(JavaClasses imported) {
        for (String room : ROOMS) {
            assertTrue(imported.containPackage("io.quorumlock." + room), () -> "nothing imported of " + room);
        }
    }

    @ArchTest
    static void thereIsNoOtherRoom(JavaClasses imported) {
        imported.forEach(type -> assertTrue(
                ROOMS.contains(type.getPackageName().replace("io.quorumlock.", "")), () -> type + " is in no room"));
    }

    @ArchTest
    static final ArchRule lockKnowsOnlyTheJdk = room("lock", "lock", "java");

    @ArchTest
    static final ArchRule timeKnowsOnlyTheJdk = room("time", "time", "java");

    @ArchTest
    static final ArchRule redlockKnowsTheLanguageAndTime = room("redlock", "redlock", "lock", "time", "java");

    @ArchTest
    static final ArchRule redisKnowsNoHttpAndNoConfig = room(
            "redis",
            "redis",
            "redlock",
            "lock",
            "time",
            "java",
            "io.vertx.core..",
            "io.vertx.redis..",
            "org.jboss.logging..");

    @ArchTest
    static final ArchRule embeddedStandsAlone = room("embedded", "embedded", "java", "redis.embedded..");

    @ArchTest
    static final ArchRule httpKnowsOnlyTheLanguage = noClasses()
            .that(resideInAPackage("io.quorumlock.http.."))
            .should()
            .dependOnClassesThat(resideInAPackage(HOUSE).and(DescribedPredicate.not(rooms("http", "lock"))));

    @ArchTest
    static final ArchRule metricsAndHealthKnowOnlyTheLanguage = noClasses()
            .that(rooms("metrics", "health"))
            .should()
            .dependOnClassesThat(
                    resideInAPackage(HOUSE).and(DescribedPredicate.not(rooms("metrics", "health", "lock"))));

    @ArchTest
    static final ArchRule nobodyKnowsConfig = noClasses()
            .that()
            .resideOutsideOfPackage("io.quorumlock.config..")
            .should()
            .dependOnClassesThat(rooms("config"));

    @ArchTest
    static final ArchRule onlyRedisKnowsTheRedisClient = onlyIn("redis", resideInAPackage("io.vertx.redis.."));

    @ArchTest
    static final ArchRule onlyMetricsKnowsMeters = onlyIn("metrics", resideInAPackage("io.micrometer.."));

    @ArchTest
    static final ArchRule onlyHttpKnowsJaxRs =
            onlyIn("http", resideInAnyPackage("jakarta.ws.rs..", "com.fasterxml.jackson..", "org.jboss.resteasy.."));

    @ArchTest
    static final ArchRule onlyEmbeddedStartsProcesses = onlyIn("embedded", type(ProcessBuilder.class));

    @ArchTest
    static final ArchRule roomsFormNoCycle =
            slices().matching("io.quorumlock.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule timeAndChanceArePassedIn = noClasses()
            .that()
            .resideOutsideOfPackage("io.quorumlock.config..")
            .should()
            .accessTargetWhere(DescribedPredicate.describe(
                    "reads a clock, sleeps or draws by itself", ArchitectureTest::isTimeOrChance));

    @ArchTest
    static final ArchRule outcomesAreSealedRecords = classes()
            .that(DescribedPredicate.describe("are outcomes", ArchitectureTest::isOutcome))
            .should()
            .beRecords();

    @ArchTest
    static final ArchRule nothingIsInjectedIntoFields = fields().should().notBeAnnotatedWith("jakarta.inject.Inject");

    private static boolean isTimeOrChance(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getFullName();
        String name = access.getName();
        return owner.equals(System.class.getName())
                        && Set.of("nanoTime", "currentTimeMillis").contains(name)
                || owner.equals(Instant.class.getName()) && name.equals("now")
                || owner.equals(Thread.class.getName()) && name.equals("sleep")
                || owner.equals(UUID.class.getName()) && name.equals("randomUUID")
                || owner.equals(java.util.concurrent.ThreadLocalRandom.class.getName())
                || access.getTargetOwner().isAssignableTo(Random.class) && name.equals("<init>");
    }

    private static boolean isOutcome(JavaClass type) {
        return !type.isInterface()
                && type.getAllRawInterfaces().stream()
                        .anyMatch(face -> Set.of("Acquisition", "Extension", "Release", "Inspection", "NodeReply")
                                .contains(face.getSimpleName()));
    }

    private static DescribedPredicate<JavaClass> rooms(String... names) {
        return resideInAnyPackage(java.util.Arrays.stream(names)
                .map(name -> "io.quorumlock." + name + "..")
                .toArray(String[]::new));
    }

    private static DescribedPredicate<JavaClass> type(Class<?> type) {
        return JavaClass.Predicates.assignableTo(type);
    }

    /** Rooms are named alone, other packages whole. */
    private static ArchRule room(String name, String... allowed) {
        String[] packages = java.util.Arrays.stream(allowed)
                .map(one -> ROOMS.contains(one) ? "io.quorumlock." + one + ".." : one.equals("java") ? "java.." : one)
                .toArray(String[]::new);
        return classes()
                .that(resideInAPackage("io.quorumlock." + name + ".."))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(packages));
    }

    private static ArchRule onlyIn(String room, DescribedPredicate<JavaClass> technology) {
        return noClasses()
                .that(resideInAPackage(HOUSE).and(DescribedPredicate.not(rooms(room))))
                .should()
                .dependOnClassesThat(technology);
    }
}
