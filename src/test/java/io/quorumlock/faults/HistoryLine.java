// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * A line of a history. All times are of {@code System.nanoTime}. On Linux this is CLOCK_MONOTONIC of the host, so times
 * of different processes are comparable.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
@JsonSubTypes({
    @JsonSubTypes.Type(value = RunHeader.class, name = "run"),
    @JsonSubTypes.Type(value = Call.class, name = "call"),
    @JsonSubTypes.Type(value = Stall.class, name = "stall"),
    @JsonSubTypes.Type(value = Observation.class, name = "observation"),
    @JsonSubTypes.Type(value = InflictedFault.class, name = "fault"),
    @JsonSubTypes.Type(value = HistoryEnd.class, name = "end")
})
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
sealed interface HistoryLine permits RunHeader, Call, Stall, Observation, InflictedFault, HistoryEnd {}
