// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * A received message of Protocol Buffers. Its fields are read by their numbers, and a missing one is 0 or empty. A malformed
 * message is an {@link UncheckedIOException}.
 */
record Message(UnknownFieldSet fields) {
    private static final int BUFFER_SIZE = 256;

    /** Writes the fields of a message. */
    interface Writer {
        void writeTo(CodedOutputStream out) throws IOException;
    }

    /** Returns a message to send. */
    static ByteString of(Writer fields) {
        ByteString.Output bytes = ByteString.newOutput(BUFFER_SIZE);
        CodedOutputStream out = CodedOutputStream.newInstance(bytes, BUFFER_SIZE);
        try {
            fields.writeTo(out);
            out.flush();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteString();
    }

    static Message parse(ByteString bytes) {
        try {
            return new Message(UnknownFieldSet.parseFrom(bytes));
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }

    long number(int field) {
        return last(fields.getField(field).getVarintList(), 0L);
    }

    boolean isTrue(int field) {
        return number(field) != 0;
    }

    ByteString bytes(int field) {
        return last(fields.getField(field).getLengthDelimitedList(), ByteString.EMPTY);
    }

    List<String> texts(int field) {
        return fields.getField(field).getLengthDelimitedList().stream()
                .map(ByteString::toStringUtf8)
                .toList();
    }

    String text(int field) {
        return bytes(field).toStringUtf8();
    }

    Message message(int field) {
        return parse(bytes(field));
    }

    List<Message> messages(int field) {
        return fields.getField(field).getLengthDelimitedList().stream()
                .map(Message::parse)
                .toList();
    }

    private static <T> T last(List<T> values, T missing) {
        return values.isEmpty() ? missing : values.get(values.size() - 1);
    }
}
