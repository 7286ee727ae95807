// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.spring;

import io.quorumlock.client.Lease;
import io.quorumlock.client.Options;
import io.quorumlock.client.QuorumlockClient;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Holds the lock of a method with {@link QuorumLock} while it runs. */
final class QuorumLockInterceptor implements MethodInterceptor {
    private static final ParserContext BRACES = new TemplateParserContext("{", "}");

    private final Supplier<QuorumlockClient> client;
    private final Supplier<Duration> ttl;
    private final SpelExpressionParser parser = new SpelExpressionParser();
    private final ParameterNameDiscoverer parameters = new DefaultParameterNameDiscoverer();
    private final Map<String, Expression> names = new ConcurrentHashMap<>();

    QuorumLockInterceptor(Supplier<QuorumlockClient> client, Supplier<Duration> ttl) {
        this.client = client;
        this.ttl = ttl;
    }

    @Override
    public Object invoke(MethodInvocation call) throws Throwable {
        Object bean = call.getThis();
        Method method = AopUtils.getMostSpecificMethod(call.getMethod(), bean.getClass());
        QuorumLock lock = AnnotatedElementUtils.findMergedAnnotation(method, QuorumLock.class);
        Expression name = names.computeIfAbsent(lock.value(), text -> parser.parseExpression(text, BRACES));
        EvaluationContext values = new MethodBasedEvaluationContext(bean, method, call.getArguments(), parameters);
        Lease lease = acquire(lock, name(name, values));
        try (lease) {
            return call.proceed();
        }
    }

    /** Fails for a null, which an unknown parameter is, too: as an empty text, it would be the name of another lock. */
    private static String name(Expression expression, EvaluationContext call) {
        if (expression instanceof CompositeStringExpression parts) {
            return Arrays.stream(parts.getExpressions())
                    .map(part -> name(part, call))
                    .collect(Collectors.joining());
        }
        String value = expression.getValue(call, String.class);
        if (value == null) {
            throw new IllegalArgumentException(expression.getExpressionString() + " is null in the name of a lock");
        }
        return value;
    }

    private Lease acquire(QuorumLock lock, String name) {
        Duration length = lock.ttl().isEmpty() ? ttl.get() : DurationStyle.detectAndParse(lock.ttl());
        try {
            return client.get()
                    .acquire(name, new Options().ttl(length).maxWait(DurationStyle.detectAndParse(lock.maxWait())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for " + name, e);
        }
    }
}
