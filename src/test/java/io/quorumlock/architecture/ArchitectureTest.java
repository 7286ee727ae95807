// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.architecture;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.quorumlock.core.lock.Lease;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The dependency rules of the packages, and the rules of the tests. */
@Execution(ExecutionMode.CONCURRENT)
class ArchitectureTest {
    private static final Path PRODUCTION = classes(Lease.class);
    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(PRODUCTION);
    private static final JavaClasses TEST_CLASSES = new ClassFileImporter().importPath(classes(ArchitectureTest.class));

    private static JavaClasses broken;
    private static JavaClasses brokenTests;

    @BeforeAll
    static void compileViolations(@TempDir Path folder) throws IOException {
        Violations.compile(folder);
        broken = new ClassFileImporter().importPaths(PRODUCTION, folder);
        brokenTests = new ClassFileImporter().importPath(folder);
    }

    /** Without classes every rule would hold. */
    @Test
    void importsEveryLayer() {
        for (String layer : LayerRule.LAYERS) {
            assertTrue(CLASSES.containPackage("io.quorumlock." + layer), () -> "nothing imported of " + layer);
        }
    }

    @Test
    void hasNoOtherLayer() {
        CLASSES.forEach(type -> assertTrue(
                LayerRule.LAYERS.stream()
                        .anyMatch(layer -> (type.getPackageName() + ".").startsWith("io.quorumlock." + layer + ".")),
                () -> type + " is in no layer"));
    }

    @ParameterizedTest
    @EnumSource
    void codeFollowsRule(LayerRule rule) {
        rule.rule.check(CLASSES);
    }

    /** A rule that cannot fail checks nothing. */
    @ParameterizedTest
    @EnumSource
    void ruleFindsViolation(LayerRule layerRule) {
        ArchRule rule = layerRule.rule;
        AssertionError violation = assertThrows(AssertionError.class, () -> rule.check(broken));
        assertTrue(violation.getMessage().contains(Violations.nameOf(layerRule)), violation::getMessage);
    }

    @ParameterizedTest
    @EnumSource
    void testsFollowRule(TestRule rule) {
        rule.rule.check(TEST_CLASSES);
    }

    @ParameterizedTest
    @EnumSource
    void ruleFindsViolationOfTest(TestRule testRule) {
        AssertionError violation = assertThrows(AssertionError.class, () -> testRule.rule.check(brokenTests));
        assertTrue(violation.getMessage().contains(Violations.nameOf(testRule)), violation::getMessage);
    }

    @Test
    void exceptionsForDeadCodeExist() {
        Set<String> names = CLASSES.stream()
                .flatMap(type -> type.getCodeUnits().stream())
                .map(DeadCode::nameOf)
                .collect(Collectors.toSet());
        DeadCode.FOR_TESTS
                .values()
                .forEach(exceptions -> assertTrue(names.containsAll(exceptions), exceptions::toString));
    }

    /** Returns the folder with this class and the others of its kind. */
    private static Path classes(Class<?> one) {
        try {
            return Path.of(
                    one.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
