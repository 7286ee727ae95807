// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.quorumlock.testing.SharedFleet;
import java.io.File;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A rule without which a test may fail by chance, or leave files, with a class that would violate it. */
enum TestRule {
    WAITS_HAVE_A_CONDITION(
            noClasses().should().accessTargetWhere(described("sleeps", TestRule::sleeps)),
            "void pause() throws Exception { Thread.sleep(1); }"),
    LIMITS_ARE_THOSE_OF_EVENTUALLY(
            noClasses().should().accessTargetWhere(described("limits the time of a test", TestRule::limitsTime)),
            "void test() { org.junit.jupiter.api.Assertions.assertTimeout(java.time.Duration.ZERO, () -> {}); }"),
    BLOCKING_CALLS_HAVE_A_THREAD(
            noClasses().should().accessTargetWhere(described("uses the common pool", TestRule::usesCommonPool)),
            "Object call() { return java.util.concurrent.CompletableFuture.runAsync(() -> {}); }"),
    PORTS_ARE_RESERVED(
            noMethods().should(findPort()),
            "int port() throws Exception { try (var free = new java.net.ServerSocket(0)) { return free.getLocalPort(); } }"),
    TEMPORARY_FILES_HAVE_A_FOLDER(
            noClasses().should().accessTargetWhere(described("creates a file that stays", TestRule::leavesFile)),
            "Object file() throws Exception { return java.nio.file.Files.createTempDirectory(\"left\"); }"),
    SHARED_MASTERS_ARE_LOCKED(
            classes()
                    .that()
                    .haveSimpleNameEndingWith("IT")
                    .and()
                    .containAnyMethodsThat(described("use the shared fleet", TestRule::usesSharedFleet))
                    .should()
                    .beAnnotatedWith(ResourceLock.class),
            "static class UnlockedIT { Object one() { return io.quorumlock.testing.SharedFleet.ONE; } }");

    final ArchRule rule;
    /** The members of the class that violates the rule. */
    final String violation;

    TestRule(ArchRule rule, String violation) {
        this.rule = rule;
        this.violation = violation;
    }

    private static boolean sleeps(JavaAccess<?> access) {
        return access.getName().equals("sleep")
                && (access.getTargetOwner().isEquivalentTo(Thread.class)
                        || access.getTargetOwner().isEquivalentTo(TimeUnit.class));
    }

    private static boolean limitsTime(JavaAccess<?> access) {
        return access.getTargetOwner().isEquivalentTo(Assertions.class)
                && access.getName().startsWith("assertTimeout");
    }

    private static boolean usesCommonPool(JavaAccess<?> access) {
        String target = access.getTarget().getFullName();
        return target.startsWith(CompletableFuture.class.getName() + ".")
                        && target.endsWith("Async(java.lang.Runnable)")
                || target.endsWith("Async(java.util.function.Supplier)");
    }

    /** Methods with a folder as their first parameter are allowed. */
    private static boolean leavesFile(JavaAccess<?> access) {
        String target = access.getTarget().getFullName();
        return target.startsWith(Files.class.getName() + ".createTemp") && target.contains("(java.lang.String")
                || target.equals(File.class.getName() + ".createTempFile(java.lang.String, java.lang.String)")
                || target.equals(File.class.getName() + ".deleteOnExit()");
    }

    private static boolean usesSharedFleet(JavaMethod method) {
        return method.getAccessesFromSelf().stream()
                .anyMatch(access -> access.getTargetOwner().isEquivalentTo(SharedFleet.class));
    }

    /** A method that closes a socket and returns its port. */
    private static ArchCondition<JavaMethod> findPort() {
        return new ArchCondition<>("find a port that another process may take") {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                boolean number = method.getRawReturnType().isEquivalentTo(int.class);
                boolean finds = number && calls(method, "getLocalPort") && calls(method, "close");
                events.add(new SimpleConditionEvent(method, finds, method.getFullName() + " finds a port"));
            }
        };
    }

    private static boolean calls(JavaMethod method, String name) {
        return method.getMethodCallsFromSelf().stream()
                .anyMatch(call -> call.getTargetOwner().isEquivalentTo(ServerSocket.class)
                        && call.getName().equals(name));
    }

    private static <T> DescribedPredicate<T> described(String what, Predicate<T> predicate) {
        return DescribedPredicate.describe(what, predicate);
    }
}
