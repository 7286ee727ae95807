// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.quorumlock.history.Call;

/**
 * A line of a history. All times are of {@code System.nanoTime}. On Linux this is CLOCK_MONOTONIC of the host, so times
 * of different processes are comparable.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
@JsonSubTypes({
    @JsonSubTypes.Type(value = RunHeader.class, name = "run"),
    @JsonSubTypes.Type(value = HistoryLine.Called.class, name = "call"),
    @JsonSubTypes.Type(value = Stall.class, name = "stall"),
    @JsonSubTypes.Type(value = Observation.class, name = "observation"),
    @JsonSubTypes.Type(value = FaultRecord.class, name = "fault"),
    @JsonSubTypes.Type(value = HistoryLine.End.class, name = "end")
})
sealed interface HistoryLine permits RunHeader, HistoryLine.Called, Stall, Observation, FaultRecord, HistoryLine.End {
    /** Omits zeros and empty texts, of which there are millions, and what follows from the fields of a record. */
    ObjectMapper JSON = JsonMapper.builder()
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_DEFAULT, JsonInclude.Include.NON_DEFAULT))
            .build();

    record Called(Call call) implements HistoryLine {}

    /** The end of a complete file, with the number of lines before it. */
    record End(String process, long lines) implements HistoryLine {}
}
