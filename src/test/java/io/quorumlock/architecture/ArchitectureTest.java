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
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Holds the walls of the house: which room may know what. */
class ArchitectureTest {
    private static final String HOUSE = "io.quorumlock..";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.quorumlock");
    private static final Set<String> ROOMS =
            Set.of("lock", "time", "redlock", "redis", "embedded", "http", "metrics", "health", "config");

    /** Without it every rule below would pass on an empty import. */
    @Test
    void everyRoomWasImported() {
        for (String room : ROOMS) {
            assertTrue(CLASSES.containPackage("io.quorumlock." + room), () -> "nothing imported of " + room);
        }
    }

    @Test
    void thereIsNoOtherRoom() {
        CLASSES.forEach(type -> assertTrue(
                ROOMS.contains(type.getPackageName().replace("io.quorumlock.", "")), () -> type + " is in no room"));
    }

    @Test
    void lockKnowsOnlyTheJdk() {
        check(room("lock", "lock", "java"));
    }

    @Test
    void timeKnowsOnlyTheJdk() {
        check(room("time", "time", "java"));
    }

    @Test
    void redlockKnowsTheLanguageAndTime() {
        check(room("redlock", "redlock", "lock", "time", "java"));
    }

    @Test
    void redisKnowsNoHttpAndNoConfig() {
        check(room(
                "redis",
                "redis",
                "redlock",
                "lock",
                "time",
                "java",
                "io.vertx.core..",
                "io.vertx.redis..",
                "org.jboss.logging.."));
    }

    @Test
    void embeddedStandsAlone() {
        check(room("embedded", "embedded", "java", "redis.embedded.."));
    }

    @Test
    void httpKnowsOnlyTheLanguage() {
        check(noClasses()
                .that(resideInAPackage("io.quorumlock.http.."))
                .should()
                .dependOnClassesThat(resideInAPackage(HOUSE).and(DescribedPredicate.not(rooms("http", "lock")))));
    }

    @Test
    void metricsAndHealthKnowOnlyTheLanguage() {
        check(noClasses()
                .that(rooms("metrics", "health"))
                .should()
                .dependOnClassesThat(
                        resideInAPackage(HOUSE).and(DescribedPredicate.not(rooms("metrics", "health", "lock")))));
    }

    @Test
    void nobodyKnowsConfig() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.quorumlock.config..")
                .should()
                .dependOnClassesThat(rooms("config")));
    }

    @Test
    void onlyRedisKnowsTheRedisClient() {
        check(onlyIn("redis", resideInAPackage("io.vertx.redis..")));
    }

    @Test
    void onlyMetricsKnowsMeters() {
        check(onlyIn("metrics", resideInAPackage("io.micrometer..")));
    }

    @Test
    void onlyHttpKnowsJaxRs() {
        check(onlyIn("http", resideInAnyPackage("jakarta.ws.rs..", "com.fasterxml.jackson..", "org.jboss.resteasy..")));
    }

    @Test
    void onlyEmbeddedStartsProcesses() {
        check(onlyIn("embedded", type(ProcessBuilder.class)));
    }

    @Test
    void roomsFormNoCycle() {
        check(slices().matching("io.quorumlock.(*)..").should().beFreeOfCycles());
    }

    @Test
    void timeAndChanceArePassedIn() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.quorumlock.config..")
                .should()
                .accessTargetWhere(DescribedPredicate.describe(
                        "reads a clock, sleeps or draws by itself", ArchitectureTest::isTimeOrChance)));
    }

    @Test
    void outcomesAreSealedRecords() {
        check(classes()
                .that(DescribedPredicate.describe("are outcomes", ArchitectureTest::isOutcome))
                .should()
                .beRecords());
    }

    @Test
    void nothingIsInjectedIntoFields() {
        check(fields().should().notBeAnnotatedWith("jakarta.inject.Inject"));
    }

    private static void check(ArchRule rule) {
        rule.check(CLASSES);
    }

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
