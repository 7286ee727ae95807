// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import java.util.stream.Stream;

/** Invalid HTTP, which the server rejects before there is a request that could get a problem document. */
final class NotHttp {
    private NotHttp() {}

    static Stream<String> rows() {
        String start = "POST /locks/bad/http HTTP/1.1\r\nHost: test\r\nConnection: close\r\n";
        return Stream.of(
                "\u0016\u0003\u0001\u0002\r\n\r\n",
                "POST\r\n\r\n",
                "POST /locks/a b HTTP/1.1\r\nHost: test\r\n\r\n",
                "POST /locks/a JUNK\r\nHost: test\r\n\r\n",
                start + "Lock-Token: a-token-with\u0000-in-it\r\n\r\n",
                start + "Lock-Token: a-token-with\u0001-in-it\r\n\r\n",
                start + "Lock Token: x\r\n\r\n",
                start + "no colon\r\n\r\n",
                start + "Content-Length: -5\r\n\r\n",
                start + "Content-Length: 1.5\r\n\r\n1",
                start + "Content-Length: 99999999999999999999\r\n\r\n",
                start + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}1",
                start + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                start + "X: " + "x".repeat(70_000) + "\r\n\r\n",
                "POST /locks/" + "n".repeat(70_000) + " HTTP/1.1\r\nHost: test\r\n\r\n");
    }
}
