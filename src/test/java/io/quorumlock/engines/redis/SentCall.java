// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One operation in a sent batch.
 *
 * @param firstKey the place of its first key among the arguments of EVALSHA
 */
public record SentCall(String command, int firstKey, List<String> keys, List<String> arguments) {
    private static final String BATCH = new String(LuaScript.BATCH.sha(), StandardCharsets.US_ASCII);

    /** @param given the arguments of EVALSHA: the SHA-1, the number of keys, the keys and arguments of the script */
    static List<SentCall> parse(List<String> given) {
        List<SentCall> calls = new ArrayList<>();
        int key = 2;
        int argument = 2 + Integer.parseInt(given.get(1));
        while (argument < given.size()) {
            String name = given.get(argument);
            int keys = 0;
            int first = argument + 1;
            int arguments = 0;
            switch (name) {
                case "acquire-one" -> {
                    keys = 2;
                    arguments = 4;
                }
                case "release-one" -> {
                    keys = 1;
                    arguments = 2;
                }
                default -> {
                    keys = Integer.parseInt(given.get(first++));
                    arguments = Integer.parseInt(given.get(first++));
                }
            }
            calls.add(new SentCall(
                    name.replace("-one", ""),
                    key,
                    given.subList(key, key + keys),
                    given.subList(first, first + arguments)));
            key += keys;
            argument = first + arguments;
        }
        return calls;
    }

    /** Returns the operations of a command; empty if it runs no batch. */
    public static List<SentCall> in(List<String> command) {
        return command.size() > 2 && command.get(1).equals(BATCH)
                ? parse(command.subList(1, command.size()))
                : List.of();
    }
}
