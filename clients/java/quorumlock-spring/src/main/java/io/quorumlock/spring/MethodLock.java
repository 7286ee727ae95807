// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.spring;

import io.quorumlock.client.Options;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The lock of a method with {@link QuorumLock}, checked. */
final class MethodLock {
    private static final ParserContext BRACES = new TemplateParserContext("{", "}");
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer PARAMETERS = new DefaultParameterNameDiscoverer();

    private final Method method;
    private final Expression name;
    private final Duration maxWait;
    private final Duration ttl; // or null

    /** Throws {@link IllegalStateException} if a duration or an expression is wrong. */
    MethodLock(Method method) {
        this.method = method;
        QuorumLock lock = AnnotatedElementUtils.findMergedAnnotation(method, QuorumLock.class);
        try {
            name = PARSER.parseExpression(lock.value(), BRACES);
            maxWait = DurationStyle.detectAndParse(lock.maxWait());
            ttl = lock.ttl().isEmpty() ? null : DurationStyle.detectAndParse(lock.ttl());
            check(name);
        } catch (RuntimeException e) {
            throw new IllegalStateException("@QuorumLock of " + method + ": " + e.getMessage(), e);
        }
    }

    private void check(Expression expression) {
        if (expression instanceof CompositeStringExpression parts) {
            Arrays.stream(parts.getExpressions()).forEach(this::check);
        } else if (expression instanceof SpelExpression spel) {
            String[] names = Objects.requireNonNullElse(PARAMETERS.getParameterNames(method), new String[0]);
            Stream<String> numbers =
                    IntStream.range(0, method.getParameterCount()).boxed().flatMap(i -> Stream.of("a" + i, "p" + i));
            Set<String> known = Stream.of(Arrays.stream(names), numbers, Stream.of("this", "root"))
                    .flatMap(all -> all)
                    .collect(Collectors.toSet());
            check(spel.getAST(), known);
        }
    }

    private static void check(SpelNode node, Set<String> known) {
        String text = node.toStringAST();
        if (node instanceof VariableReference && !known.contains(text.substring(1))) {
            throw new IllegalArgumentException(text + " is not a parameter (compile with -parameters)");
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            check(node.getChild(i), known);
        }
    }

    String name(Object bean, Object[] arguments) {
        return name(name, new MethodBasedEvaluationContext(bean, method, arguments, PARAMETERS));
    }

    /** Fails for a null: as an empty text, it would be the name of another lock. */
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

    Options options(Duration defaultTtl) {
        return new Options().ttl(ttl == null ? defaultTtl : ttl).maxWait(maxWait);
    }
}
