// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.Limits;
import io.quorumlock.rest.Problem.FieldError;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestParametersTest {
    private static final Set<String> KNOWN = Set.of("ttlMs", "minValidityMs", "token", "owner");
    private static final Limits LIMITS = new Limits(
            Duration.ofSeconds(30),
            Duration.ofMillis(100),
            Duration.ofSeconds(60),
            1_000,
            Duration.ofSeconds(10),
            ttl -> ttl.multipliedBy(99).dividedBy(100).minusMillis(2));
    private static final String TOKEN = "a-token-of-16-or-more";

    private final RequestParameters fields = new RequestParameters();

    @Test
    void readsFlatObject() {
        body("{\"ttlMs\": 500, \"token\": \"" + TOKEN + "\", \"owner\": \"é 😀\"}");
        assertEquals(Duration.ofMillis(500), ttl());
        assertEquals(TOKEN, fields.token().orElseThrow().text());
        assertEquals("é 😀", fields.owner().orElseThrow().label());
        assertDoesNotThrow(fields::check);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", " { } \n"})
    void allowsMissingFields(String text) {
        body(text);
        assertEquals(Duration.ofSeconds(30), ttl());
        assertTrue(fields.token().isEmpty());
        assertDoesNotThrow(fields::check);
    }

    @ParameterizedTest
    @CsvSource({"500, 500", "100, 100", "60000, 60000"})
    void readsWholeNumbers(String text, long millis) {
        body("{\"ttlMs\":" + text + "}");
        assertEquals(Duration.ofMillis(millis), ttl());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-1",
                "-0",
                "99",
                "60001",
                "1.5",
                "500.0",
                "1e3",
                "1E3",
                "\"500\"",
                "true",
                "false",
                "null",
                "[500]",
                "{}",
                "[]",
                "2147483648",
                "9007199254740993",
                "9223372036854775808",
                "-9223372036854775809",
                "1e309",
                "340282366920938463463374607431768211456",
            })
    void rejectsInvalidTtls(String value) {
        body("{\"ttlMs\":" + value + "}");
        ttl();
        assertEquals(List.of("ttlMs"), invalidFields());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "+500", "500.0", "1e3", "0500", " 500", "500 ", "0x1F4", "5_000", "five", "-", "٥٠٠"})
    void rejectsInvalidTtlsInQuery(String value) {
        fields.add("ttlMs", new ParameterValue(ParameterValue.Source.QUERY, ParameterValue.Kind.UNTYPED, value));
        ttl();
        assertEquals(List.of("ttlMs"), invalidFields());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "x",
                "[]",
                "[{}]",
                "1",
                "\"ttlMs\"",
                "null",
                "{",
                "}",
                "{]",
                "{\"ttlMs\"}",
                "{\"ttlMs\":}",
                "{ttlMs:500}",
                "{'ttlMs':500}",
                "{\"ttlMs\":500,}",
                "{,}",
                "{\"ttlMs\":500}}",
                "{\"ttlMs\":500} x",
                "{}{}",
                "{} []",
                "{}null",
                "/**/{}",
                "{}//",
                "{\"ttlMs\":0500}",
                "{\"ttlMs\":+500}",
                "{\"ttlMs\":NaN}",
                "{\"ttlMs\":.5}",
                "{\"owner\":\"a\nb\"}",
                "{\"owner\":\"\\x\"}",
                "{\"owner\":\"a}",
                "\ufeff{}",
            })
    void rejectsBodiesThatAreNotOneObject(String text) {
        body(text);
        assertEquals(List.of("body"), invalidFields());
    }

    @Test
    void rejectsBodiesThatAreNotUtf8() {
        ContractJson.reader().readBody("{\"owner\":\"é\"}".getBytes(StandardCharsets.ISO_8859_1), fields);
        assertEquals(List.of("body"), invalidFields());
    }

    @Test
    void doesNotDetectUtf16() {
        ContractJson.reader().readBody("{}".getBytes(StandardCharsets.UTF_16LE), fields);
        assertEquals(List.of("body"), invalidFields());
    }

    @Test
    void rejectsRepeatedFields() {
        body("{\"ttlMs\":500,\"ttlMs\":500}");
        assertEquals(List.of("body"), invalidFields());
    }

    @Test
    void acceptsEqualValuesInQueryAndBody() {
        ParametersReader.readQuery("ttlMs=500", fields);
        body("{\"ttlMs\":500}");
        assertEquals(Duration.ofMillis(500), ttl());
        assertDoesNotThrow(fields::check);
    }

    @Test
    void rejectsDifferentValuesInQueryAndBody() {
        ParametersReader.readQuery("ttlMs=500", fields);
        body("{\"ttlMs\":501}");
        assertEquals(List.of("ttlMs"), invalidFields());
    }

    @Test
    void reportsAllErrors() {
        ParametersReader.readQuery("waitms=1&owner=", fields);
        body("{\"ttlMs\":1.5,\"token\":7,\"nested\":{\"ttlMs\":[1,{}]}}");
        fields.only(KNOWN);
        ttl();
        fields.token();
        fields.owner();
        assertEquals(List.of("waitms", "nested", "ttlMs", "token", "owner"), invalidFields());
    }

    @Test
    void limitsNumberOfReportedErrors() {
        body(IntStream.range(0, 2000).mapToObj(i -> "\"f" + i + "\":0").collect(Collectors.joining(",", "{", "}")));
        fields.only(KNOWN);
        assertEquals(16, invalidFields().size());
    }

    @Test
    void truncatesLongNamesInErrors() {
        ParametersReader.readQuery("n".repeat(3000) + "=1", fields);
        fields.only(KNOWN);
        assertEquals(List.of("n".repeat(64)), invalidFields());
    }

    @Test
    void rejectsDeepNesting() {
        body("{\"owner\":" + "[".repeat(16_000));
        assertEquals(List.of("body"), invalidFields());
    }

    @Test
    void keepsPlusInQuery() {
        ParametersReader.readQuery("owner=a+b%20c&&", fields);
        assertEquals("a+b c", fields.owner().orElseThrow().label());
    }

    @ParameterizedTest
    @ValueSource(strings = {"owner=%zz", "owner=%ff", "owner=%00", "owner", "owner=a&owner=a"})
    void reportsFieldOfInvalidQuery(String query) {
        ParametersReader.readQuery(query, fields);
        fields.owner();
        assertEquals(List.of("owner"), invalidFields());
    }

    @ParameterizedTest
    @CsvSource({"'', 0", "'\"minValidityMs\":0', 0", "'\"minValidityMs\":29698', 29698"})
    void acceptsMinValidityUpToTtlLessDrift(String field, long millis) {
        body("{" + field + "}");
        assertEquals(Duration.ofMillis(millis), fields.minValidity(ttl(), LIMITS));
        assertDoesNotThrow(fields::check);
    }

    @Test
    void rejectsMinValidityOverTtlLessDrift() {
        body("{\"ttlMs\":500,\"minValidityMs\":494}");
        fields.minValidity(ttl(), LIMITS);
        assertEquals(
                List.of(new FieldError(
                        "minValidityMs", "must be from 0 to 493 milliseconds (at most ttlMs minus drift)")),
                errors());
    }

    /** One mistake causes one error. */
    @Test
    void doesNotCheckMinValidityWithInvalidTtl() {
        body("{\"ttlMs\":99,\"minValidityMs\":59000}");
        fields.minValidity(ttl(), LIMITS);
        assertEquals(List.of("ttlMs"), invalidFields());
    }

    @Test
    void reportsMissingToken() {
        fields.requiredToken();
        assertEquals(List.of("token"), invalidFields());
    }

    private void body(String text) {
        ContractJson.reader().readBody(text.getBytes(StandardCharsets.UTF_8), fields);
    }

    private Duration ttl() {
        return fields.millis("ttlMs", Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofSeconds(60));
    }

    private List<String> invalidFields() {
        return errors().stream().map(FieldError::field).toList();
    }

    private List<FieldError> errors() {
        ProblemException refusal = assertThrows(ProblemException.class, fields::check);
        Problem problem = (Problem) refusal.answer().body().orElseThrow();
        assertEquals(ProblemType.INVALID_REQUEST, problem.kind());
        List<?> errors = (List<?>) problem.members().get("errors");
        return errors.stream().map(FieldError.class::cast).toList();
    }
}
