// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.time.Clock;

/** The JSON of the service for tests without the framework. */
final class ContractJson {
    private static final ObjectMapper MAPPER = mapper();

    private ContractJson() {}

    static AnswerWriter writer() {
        return new AnswerWriter(MAPPER, new ProblemMappers(Clock.systemUTC()));
    }

    static ParametersReader reader() {
        return new ParametersReader(MAPPER);
    }

    private static ObjectMapper mapper() {
        ObjectMapper mapper = new ObjectMapper().registerModule(new Jdk8Module());
        new StrictObjectMapper().customize(mapper);
        return mapper;
    }
}
