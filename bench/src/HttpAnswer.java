package io.quorumlock.bench;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Is an answer with a length of its own, as the service writes them: never chunked. */
record HttpAnswer(int status, String body) {
    private static final String LENGTH = "\r\ncontent-length:";

    /** Says whether a whole answer is in the buffer, which is being written to. */
    static boolean isWhole(ByteBuffer input) {
        int head = headLength(input);
        return head > 0 && input.position() >= head + bodyLength(input, head);
    }

    /** Takes the one answer out of the buffer. */
    static HttpAnswer take(ByteBuffer input) {
        int head = headLength(input);
        int body = bodyLength(input, head);
        int status = Integer.parseInt(text(input, 9, 3));
        HttpAnswer answer = new HttpAnswer(status, text(input, head, body));
        if (input.position() != head + body) {
            throw new IllegalStateException("more than one answer: " + text(input, 0, input.position()));
        }
        input.clear();
        return answer;
    }

    private static int headLength(ByteBuffer input) {
        byte[] bytes = input.array();
        for (int i = 3; i < input.position(); i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' && bytes[i - 3] == '\r') {
                return i + 1;
            }
        }
        return 0;
    }

    private static int bodyLength(ByteBuffer input, int head) {
        String headers = text(input, 0, head).toLowerCase(Locale.ROOT);
        int begin = headers.indexOf(LENGTH);
        if (begin < 0) {
            if (headers.contains("\r\ntransfer-encoding:")) {
                throw new IllegalStateException("a chunked answer: " + headers);
            }
            return 0;
        }
        int end = headers.indexOf('\r', begin + LENGTH.length());
        return Integer.parseInt(headers.substring(begin + LENGTH.length(), end).strip());
    }

    private static String text(ByteBuffer input, int begin, int length) {
        return new String(input.array(), begin, length, StandardCharsets.ISO_8859_1);
    }
}
