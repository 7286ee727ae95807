// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.spring;

import io.quorumlock.client.Lease;
import io.quorumlock.client.QuorumlockClient;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Holds the lock of a method with {@link QuorumLock} while it runs. */
final class QuorumLockInterceptor implements MethodInterceptor, ClassFilter {
    private final Supplier<QuorumlockClient> client;
    private final Supplier<Duration> ttl;
    private final Map<Method, MethodLock> locks = new ConcurrentHashMap<>();

    QuorumLockInterceptor(Supplier<QuorumlockClient> client, Supplier<Duration> ttl) {
        this.client = client;
        this.ttl = ttl;
    }

    /** Checks the annotations of a bean when it is created, and returns whether there are any. */
    @Override
    public boolean matches(Class<?> bean) {
        return AnnotationUtils.isCandidateClass(bean, QuorumLock.class)
                && !MethodIntrospector.selectMethods(
                                bean,
                                (Method method) -> AnnotatedElementUtils.hasAnnotation(method, QuorumLock.class)
                                        ? locks.computeIfAbsent(method, MethodLock::new)
                                        : null)
                        .isEmpty();
    }

    @Override
    public Object invoke(MethodInvocation call) throws Throwable {
        Object bean = call.getThis();
        Method method = AopUtils.getMostSpecificMethod(call.getMethod(), bean.getClass());
        MethodLock lock = locks.computeIfAbsent(method, MethodLock::new);
        Lease lease = acquire(lock, lock.name(bean, call.getArguments()));
        try (lease) {
            return call.proceed();
        }
    }

    private Lease acquire(MethodLock lock, String name) {
        try {
            return client.get().acquire(name, lock.options(ttl.get()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for " + name, e);
        }
    }
}
