// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CursorTest {
    private static final ResourcePrefix PREFIX = new ResourcePrefix("orders/");
    private static final ResourceName LAST = new ResourceName("orders/é \ud83d\ude00");

    @Test
    void cursorContainsLastNameOfPage() {
        assertEquals(LAST, Cursor.read(Cursor.write(PREFIX, LAST), PREFIX));
    }

    /** Replicas of other releases can read the cursor. Another format needs another version. */
    @Test
    void keepsFormatOfCursor() {
        assertEquals("AQ64boenIjPRb3JkZXJzLzQy", Cursor.write(PREFIX, new ResourceName("orders/42")));
    }

    @Test
    void cursorNeedsNoEscapingInQuery() {
        ResourceName longest = new ResourceName("\ud83d\ude00".repeat(128));
        String cursor = Cursor.write(new ResourcePrefix(""), longest);
        assertTrue(cursor.matches("[A-Za-z0-9_-]{1,700}"), cursor);
        assertEquals(longest, Cursor.read(cursor, new ResourcePrefix("")));
    }

    @ParameterizedTest
    @CsvSource({"''", "orders", "orders/4", "Orders/"})
    void rejectsCursorOfAnotherPrefix(String other) {
        String cursor = Cursor.write(PREFIX, LAST);
        assertThrows(IllegalArgumentException.class, () -> Cursor.read(cursor, new ResourcePrefix(other)));
    }

    @Test
    void rejectsChangedCursor() {
        byte[] bytes = Base64.getUrlDecoder().decode(Cursor.write(PREFIX, LAST));
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] forged = bytes.clone();
            forged[bit / 8] ^= (byte) (1 << bit % 8);
            String text = Base64.getUrlEncoder().withoutPadding().encodeToString(forged);
            assertThrows(IllegalArgumentException.class, () -> Cursor.read(text, PREFIX));
        }
    }

    @Test
    void rejectsOtherEncodingOfSameBytes() {
        String cursor = Cursor.write(PREFIX, new ResourceName("orders/4"));
        assertEquals(23, cursor.length());
        String reencoded = cursor.substring(0, 22) + (char) (cursor.charAt(22) + 1);
        assertThrows(IllegalArgumentException.class, () -> Cursor.read(reencoded, PREFIX));
    }
}
