// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The length-delimited fields of one protobuf message: texts, bytes and messages. Other fields are skipped. */
final class ProtobufFields {
    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int LENGTH = 2;
    private static final int FIXED_32 = 5;

    private final List<Field> fields = new ArrayList<>();

    private record Field(int number, byte[] value) {}

    ProtobufFields(byte[] message) {
        ByteBuffer left = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        while (left.hasRemaining()) {
            long tag = varint(left);
            read((int) (tag >>> 3), (int) (tag & 7), left);
        }
    }

    private void read(int number, int kind, ByteBuffer left) {
        switch (kind) {
            case VARINT -> varint(left);
            case FIXED_64 -> left.getLong();
            case FIXED_32 -> left.getInt();
            case LENGTH -> {
                byte[] value = new byte[(int) varint(left)];
                left.get(value);
                fields.add(new Field(number, value));
            }
            default -> throw new AssertionError("unknown wire type: " + kind);
        }
    }

    List<byte[]> all(int number) {
        return fields.stream()
                .filter(field -> field.number() == number)
                .map(Field::value)
                .toList();
    }

    List<ProtobufFields> messages(int number) {
        return all(number).stream().map(ProtobufFields::new).toList();
    }

    /** Returns the first value of a field; empty if there is none. */
    byte[] first(int number) {
        return all(number).stream().findFirst().orElse(new byte[0]);
    }

    private static long varint(ByteBuffer left) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = left.get();
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }
}
