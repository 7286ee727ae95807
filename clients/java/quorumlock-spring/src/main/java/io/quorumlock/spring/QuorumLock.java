// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Holds a lock while a method of a bean runs, which another bean calls. The lease is extended meanwhile. The lock is released
 * after the end of a transaction of the method, and before a {@code Future} or {@code Mono} that it returns is complete. It
 * is not re-entrant.
 *
 * <p>The call throws {@code LockHeldException} if another client holds the lock after the wait, {@code
 * UnavailableException} without the service, {@code RefusedException} for a name that the service refuses, and {@link
 * IllegalStateException} if the thread is interrupted. The method does not run then. If the lease is lost while it runs, the
 * method is not ended, and the call throws {@code LeaseLostException} after its end, instead of its result: another process
 * may have done the same work.
 *
 * <p>A wrong duration, or an expression with an unknown parameter, fails when the bean is created.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface QuorumLock {
    /**
     * The name of the lock. Parts in braces are expressions of Spring about the parameters, which must not be null: {@code
     * orders/{#id}}. The code must be compiled with {@code -parameters}, as Spring Boot does.
     */
    String value();

    /** The longest wait for a held lock, for example {@code 1s}. */
    String maxWait() default "0s";

    /** The duration of the lease unless it is extended; if empty, {@code quorumlock.ttl}. */
    String ttl() default "";
}
