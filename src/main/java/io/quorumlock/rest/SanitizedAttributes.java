// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quarkus.vertx.http.runtime.attribute.ExchangeAttribute;
import io.quarkus.vertx.http.runtime.attribute.ExchangeAttributeBuilder;
import io.vertx.ext.web.RoutingContext;
import java.util.Comparator;
import java.util.Objects;
import java.util.ServiceLoader;

/**
 * The attributes of the access log, sanitized: the path of an HTTP/2 request, for example, may contain a line break. Found as a
 * service, and preferred to the builders of the framework.
 */
public final class SanitizedAttributes implements ExchangeAttributeBuilder {
    /** Those of the framework have 0 to 100. */
    private static final int PRIORITY = 1_000;

    @Override
    public String name() {
        return "sanitized";
    }

    @Override
    public int priority() {
        return PRIORITY;
    }

    /** Returns the attribute of the framework for the token, or null if there is none. */
    @Override
    public ExchangeAttribute build(String token) {
        return ServiceLoader.load(ExchangeAttributeBuilder.class, SanitizedAttributes.class.getClassLoader()).stream()
                .filter(provider -> provider.type() != SanitizedAttributes.class)
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparingInt(ExchangeAttributeBuilder::priority)
                        .reversed())
                .map(builder -> builder.build(token))
                .filter(Objects::nonNull)
                .findFirst()
                .map(Sanitized::new)
                .orElse(null);
    }

    private record Sanitized(ExchangeAttribute attribute) implements ExchangeAttribute {
        @Override
        public String readAttribute(RoutingContext exchange) {
            String value = attribute.readAttribute(exchange);
            return value == null ? null : LogSanitizer.escaped(value);
        }

        @Override
        public void writeAttribute(RoutingContext exchange, String value) {
            throw new UnsupportedOperationException("the access log only reads attributes");
        }
    }
}
