// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.architecture;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaFieldAccess.AccessType;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Conditions for code that nothing in the service uses. A use by a test does not count. */
final class DeadCode {
    /** Annotations of classes and members that only the compiler or a tool reads. */
    private static final Set<String> NOT_A_CALLER = Set.of("java.lang.Override", "java.lang.FunctionalInterface");
    /** Members that only tests call, with the reason. */
    static final Map<String, Set<String>> FOR_TESTS = Map.of(
            "N and R14 are checked with it",
                    Set.of("Redlock.cleanUpsPending", "Consensus.cleanUpsPending", "HolderRemovals.pending"),
            "the simulation opens each connection by itself", Set.of("RedisFleet.links"),
            "tests start masters with it, and check what is left of them",
                    Set.of(
                            "EmbeddedMasters.folder",
                            "EmbeddedMasters.processes",
                            "RedisProcess.start",
                            "RedisProcess.isAlive"));

    private DeadCode() {}

    static ArchCondition<JavaCodeUnit> haveCaller() {
        return new ArchCondition<>("have a caller in the service") {
            @Override
            public void check(JavaCodeUnit unit, ConditionEvents events) {
                events.add(new SimpleConditionEvent(unit, isUsed(unit), unit.getFullName() + " has no caller"));
            }
        };
    }

    static ArchCondition<JavaClass> haveUser() {
        return new ArchCondition<>("have a user in the service") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                events.add(new SimpleConditionEvent(type, isUsed(type), type.getFullName() + " has no user"));
            }
        };
    }

    /** A type is used by the types around it, and by others that use a type within it. */
    private static boolean isUsed(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.SYNTHETIC)
                || isBean(type)
                || type.getMethods().stream().anyMatch(DeadCode::isEntry)
                || isFoundByName(type)
                || type.getDirectDependenciesToSelf().stream().anyMatch(use -> !isWithin(use.getOriginClass(), type))
                || type.getPackage().getClasses().stream()
                        .filter(other -> isWithin(other, type) && other != type)
                        .anyMatch(inner -> inner.getDirectDependenciesToSelf().stream()
                                .anyMatch(use -> !isWithin(use.getOriginClass(), type)));
    }

    private static boolean isWithin(JavaClass type, JavaClass outer) {
        return type == outer
                || type.getEnclosingClass()
                        .filter(next -> isWithin(next, outer))
                        .isPresent();
    }

    /** The framework finds implementations of its own interfaces as services. */
    private static boolean isFoundByName(JavaClass type) {
        return type.getAllRawInterfaces().stream()
                .map(JavaClass::getPackageName)
                .anyMatch(name -> name.startsWith("io.quarkus") || name.startsWith("org.eclipse.microprofile"));
    }

    private static boolean isEntry(JavaMethod method) {
        return method.getName().equals("main") || isAnnotated(method);
    }

    private static boolean isUsed(JavaCodeUnit unit) {
        return isCalled(unit)
                || isGenerated(unit)
                || unit instanceof JavaMethod method && isEntry(method)
                || overridden(unit).findAny().isPresent()
                || overriding(unit).anyMatch(DeadCode::isCalled)
                || FOR_TESTS.values().stream().anyMatch(names -> names.contains(nameOf(unit)));
    }

    static String nameOf(JavaCodeUnit unit) {
        return unit.getOwner().getSimpleName() + "." + unit.getName();
    }

    private static boolean isCalled(JavaCodeUnit unit) {
        return unit.getAccessesToSelf().stream()
                .anyMatch(access -> !access.getOrigin().equals(unit));
    }

    private static boolean isGenerated(JavaCodeUnit unit) {
        JavaClass owner = unit.getOwner();
        return unit.getName().equals("<clinit>")
                || owner.isEnum() && Set.of("values", "valueOf").contains(unit.getName())
                || unit.getModifiers().contains(JavaModifier.SYNTHETIC)
                || isJson(owner, unit)
                || isReadByItsRecord(owner, unit)
                || isSetting(owner)
                || unit instanceof JavaConstructor constructor && isCreatedElsewhere(constructor);
    }

    /** Jackson reads the components of the records in bodies, and getters. */
    private static boolean isJson(JavaClass owner, JavaCodeUnit unit) {
        boolean getter = unit.getRawParameterTypes().isEmpty() && unit.getName().startsWith("get");
        return owner.isRecord()
                && (owner.getPackageName().equals("io.quorumlock.http")
                        || owner.getPackageName().startsWith("io.quorumlock.features"))
                && (isComponent(owner, unit) || getter);
    }

    /** A record reads its components by their fields. A record of which nobody reads any is a key, which maps compare. */
    private static boolean isReadByItsRecord(JavaClass owner, JavaCodeUnit unit) {
        return owner.isRecord()
                && (owner.tryGetField(unit.getName()).filter(DeadCode::isRead).isPresent()
                        || isComponent(owner, unit)
                                && owner.getMethods().stream()
                                        .filter(method -> isComponent(owner, method))
                                        .noneMatch(DeadCode::isCalled)
                                && owner.getFields().stream().noneMatch(DeadCode::isRead));
    }

    private static boolean isComponent(JavaClass owner, JavaCodeUnit unit) {
        return unit.getRawParameterTypes().isEmpty()
                && owner.tryGetField(unit.getName()).isPresent();
    }

    /** The method of a component reads its field in any case. */
    private static boolean isRead(JavaField field) {
        return field.getAccessesToSelf().stream()
                .anyMatch(read -> read.getAccessType() == AccessType.GET
                        && !read.getOrigin().getName().equals(field.getName()));
    }

    /** The framework reads settings by the methods of an annotated interface, and of the interfaces within it. */
    private static boolean isSetting(JavaClass type) {
        return type.isInterface()
                && (isBean(type)
                        || type.getEnclosingClass().filter(DeadCode::isSetting).isPresent());
    }

    /** A private constructor may prevent objects. Jackson creates records, and the framework beans and services. */
    private static boolean isCreatedElsewhere(JavaConstructor constructor) {
        JavaClass owner = constructor.getOwner();
        boolean canonical = owner.isRecord()
                && constructor.getRawParameterTypes().size()
                        == owner.getFields().stream()
                                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                                .count();
        return constructor.getModifiers().contains(JavaModifier.PRIVATE)
                || canonical
                || isBean(owner)
                || isFoundByName(owner);
    }

    private static boolean isAnnotated(JavaMethod method) {
        return method.getAnnotations().stream().anyMatch(DeadCode::isRead)
                || method.getParameterAnnotations().stream().anyMatch(all -> !all.isEmpty());
    }

    private static boolean isBean(JavaClass type) {
        return type.getAnnotations().stream().anyMatch(DeadCode::isRead);
    }

    private static boolean isRead(JavaAnnotation<?> annotation) {
        return !NOT_A_CALLER.contains(annotation.getRawType().getName());
    }

    private static Stream<JavaMethod> overridden(JavaCodeUnit unit) {
        return Stream.concat(
                        unit.getOwner().getAllRawSuperclasses().stream(),
                        unit.getOwner().getAllRawInterfaces().stream())
                .flatMap(parent -> sameIn(parent, unit));
    }

    private static Stream<JavaMethod> overriding(JavaCodeUnit unit) {
        return unit.getOwner().getAllSubclasses().stream().flatMap(child -> sameIn(child, unit));
    }

    /** Compares only the number of parameters, because type variables are erased. */
    private static Stream<JavaMethod> sameIn(JavaClass type, JavaCodeUnit unit) {
        int parameters = unit.getRawParameterTypes().size();
        return type.getMethods().stream()
                .filter(method -> method.getName().equals(unit.getName()))
                .filter(method -> method.getRawParameterTypes().size() == parameters);
    }
}
