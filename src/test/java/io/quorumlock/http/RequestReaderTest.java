// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorumlock.http.Problem.FieldError;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The binding of fields to the records of calls. */
class RequestReaderTest {
    private static final String TOKEN = "a-token-of-16-or-more";

    private final RequestReader reader = ContractJson.reader();
    private final ObjectNode fields = JsonNodeFactory.instance.objectNode();
    private final FieldErrors errors = new FieldErrors();

    @Test
    void bindsBody() throws IOException {
        body("{\"ttlMs\": 500, \"token\": \"" + TOKEN + "\", \"owner\": \"é 😀\"}");
        AcquireRequest request = acquire();
        assertEquals(Optional.of(500L), request.ttlMs());
        assertEquals(TOKEN, request.token().orElseThrow().text());
        assertEquals("é 😀", request.owner().orElseThrow().label());
        assertEquals(Optional.empty(), request.waitMs());
    }

    @Test
    void bindsTextToAnyType() throws IOException {
        text("token", TOKEN);
        text("force", "false");
        ReleaseRequest request = reader.bind(ReleaseRequest.class, fields, errors);
        assertEquals(TOKEN, request.token().orElseThrow().text());
        assertEquals(Optional.of(false), request.force());
    }

    @Test
    void bindsFieldsOfBodyAndQueryTogether() throws IOException {
        body("{\"ttlMs\":500}");
        text("waitMs", "10");
        assertEquals(Optional.of(10L), acquire().waitMs());
        assertEquals(Optional.of(500L), acquire().ttlMs());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", " { } \n"})
    void allowsMissingFields(String text) throws IOException {
        body(text);
        assertEquals(
                new AcquireRequest(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                acquire());
        assertEquals(new NoFields(), reader.bind(NoFields.class, fields, errors));
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
        assertEquals(List.of("ttlMs"), invalidFields());
    }

    @ParameterizedTest
    @CsvSource({
        "999999999999999999, ', but is 999999999999999999'",
        "1234567890123456789, ''",
        "99999999999999999999, ''",
        "-99999999999999999999, ''"
    })
    void showsOnlyTheNumberThatWasSent(String value, String shown) {
        body("{\"slots\":" + value + "}");
        String detail = errors().get(0).detail();
        assertEquals("must be from 1 to 64" + shown, detail);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "+500", "500.0", "1e3", "0500", " 500", "500 ", "0x1F4", "5_000", "five", "-", "٥٠٠"})
    void rejectsInvalidTtlsInQuery(String value) {
        text("ttlMs", value);
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
                "{\"ttlMs\":}",
                "{ttlMs:500}",
                "{'ttlMs':500}",
                "{\"ttlMs\":500,}",
                "{\"ttlMs\":500}}",
                "{\"ttlMs\":500} x",
                "{}{}",
                "{} []",
                "/**/{}",
                "{\"ttlMs\":0500}",
                "{\"ttlMs\":NaN}",
                "{\"owner\":\"a\nb\"}",
                "{\"owner\":\"a}",
                "{\"ttlMs\":500,\"ttlMs\":500}",
                "\ufeff{}",
            })
    void rejectsBodiesThatAreNotOneObject(String text) {
        body(text);
        assertEquals(List.of("body"), invalidFields());
    }

    @ParameterizedTest
    @CsvSource({"ISO-8859-1", "UTF-16LE"})
    void rejectsBodiesThatAreNotUtf8(String charset) {
        reader.addBody("{\"owner\":\"é\"}".getBytes(Charset.forName(charset)), fields, errors);
        assertEquals(List.of("body"), invalidFields());
    }

    @Test
    void rejectsFieldInTwoPlaces() {
        body("{\"ttlMs\":500}");
        text("ttlMs", "500");
        assertEquals(List.of("ttlMs"), invalidFields());
    }

    @Test
    void rejectsDeepNesting() {
        body("{\"owner\":" + "[".repeat(16_000));
        assertEquals(List.of("body"), invalidFields());
    }

    @Test
    void reportsAllErrors() {
        body("{\"ttlMs\":1.5,\"token\":7,\"nested\":{\"ttlMs\":[1,{}]},\"waitMs\":-1}");
        text("waitms", "1");
        text("owner", "");
        assertEquals(List.of("nested", "owner", "token", "ttlMs", "waitMs", "waitms"), invalidFields());
    }

    @Test
    void limitsNumberOfReportedErrors() {
        body(IntStream.range(0, 2000).mapToObj(i -> "\"f" + i + "\":0").collect(Collectors.joining(",", "{", "}")));
        assertEquals(16, invalidFields().size());
    }

    @Test
    void truncatesLongNamesInErrors() {
        text("n".repeat(3000), "1");
        assertEquals(List.of("n".repeat(64)), invalidFields());
    }

    /** The limits are settings, which a user without access to them cannot guess. */
    @Test
    void namesTheSettingsThatLimitTheTtl() {
        body("{\"ttlMs\":1800000}");
        assertEquals(
                List.of(
                        new FieldError(
                                "ttlMs",
                                "must be from 100 to 60000 (quorumlock.ttl.min and quorumlock.ttl.max of the service), but is 1800000")),
                errors());
    }

    @Test
    void namesTheSettingThatLimitsTheKeptTime() {
        body("{\"token\":\"" + TOKEN + "\",\"keepMs\":1800000}");
        assertEquals(
                List.of(new FieldError(
                        "keepMs", "must be from 0 to 60000 (quorumlock.ttl.max of the service), but is 1800000")),
                errors(ReleaseRequest.class));
    }

    private void body(String text) {
        reader.addBody(text.getBytes(StandardCharsets.UTF_8), fields, errors);
    }

    private void text(String name, String value) {
        RequestReader.addText(name, value, fields, errors);
    }

    private AcquireRequest acquire() throws IOException {
        return reader.bind(AcquireRequest.class, fields, errors);
    }

    private List<String> invalidFields() {
        return errors().stream().map(FieldError::field).sorted().toList();
    }

    private List<FieldError> errors() {
        return errors(AcquireRequest.class);
    }

    private List<FieldError> errors(Class<? extends RequestFields> type) {
        ProblemException refusal = assertThrows(ProblemException.class, () -> reader.bind(type, fields, errors));
        Problem problem = (Problem) refusal.answer().body().orElseThrow();
        assertEquals(ProblemType.INVALID_REQUEST, problem.kind());
        List<?> all = (List<?>) problem.members().get("errors");
        return all.stream().map(FieldError.class::cast).toList();
    }
}
