// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberAddressTest {

    @Test
    void readsHostAndPort() {
        assertEquals(new MemberAddress(false, "a", 1), MemberAddress.of("http://a:1"));
        assertEquals(new MemberAddress(true, "a", 2379), MemberAddress.of("https://A/"));
        assertEquals(new MemberAddress(false, "my_etcd", 2379), MemberAddress.of("http://my_etcd:2379"));
        assertEquals(new MemberAddress(false, "::1", 2379), MemberAddress.of("http://[::1]:2379"));
        assertEquals(new MemberAddress(false, "fe80::1%eth0", 2379), MemberAddress.of("http://[fe80::1%eth0]"));
    }

    @Test
    void showsIpv6AddressInBrackets() {
        assertEquals("[::1]:2379", MemberAddress.of("http://[::1]").toString());
        assertEquals("my_etcd:1", MemberAddress.of("http://my_etcd:1").toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:2379",
                "http://",
                "http://:2379",
                "http://::1:2379",
                "http://[::1",
                "http://[a]:2379",
                "http://a:0",
                "http://a:65536",
                "http://a:2379/path",
                "http://user@a:2379",
                "http://a,http://b"
            })
    void refusesOtherTexts(String url) {
        assertThrows(IllegalArgumentException.class, () -> MemberAddress.of(url));
    }
}
