// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MasterReplyTest {

    /** They are attributes of spans, for which people search. */
    @Test
    void labelsAreWordsWithUnderscores() {
        assertEquals(
                List.of("other_slots", "token_in_use", "held_by_another", "deleted", "held", "scanned"),
                Stream.of(
                                new MasterReply.OtherSlots(2),
                                new MasterReply.TokenInUse(),
                                new MasterReply.HeldByAnother(0),
                                new MasterReply.Deleted(),
                                new MasterReply.Held(List.of()),
                                new MasterReply.Scanned(List.of(), Optional.empty()))
                        .map(MasterReply::label)
                        .toList());
    }
}
