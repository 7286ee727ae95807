// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.List;

/**
 * One operation of the batch script, with its keys and arguments.
 *
 * @param isUsual whether the script knows the numbers of keys and arguments by the name of the operation
 */
public record Call(ScriptOperation operation, boolean isUsual, List<String> keys, List<String> arguments) {
    private static final String USUAL = "-one";

    public static Call of(ScriptOperation operation, List<String> keys, List<String> arguments) {
        return new Call(operation, false, keys, arguments);
    }

    /** Creates the usual acquire or release: of one lock for one holder, with the fewest arguments. */
    static Call usual(ScriptOperation operation, List<String> keys, List<String> arguments) {
        return new Call(operation, true, keys, arguments);
    }

    /** Returns the request that runs the operations in order. */
    static Request batch(List<Call> calls) {
        int keys = 0;
        for (Call call : calls) {
            keys += call.keys.size();
        }
        Request request =
                Request.cmd(Command.EVALSHA).arg(LuaScript.BATCH.sha()).arg(keys);
        calls.forEach(call -> call.keys.forEach(request::arg));
        calls.forEach(call -> call.addArguments(request));
        return request;
    }

    private void addArguments(Request request) {
        if (isUsual) {
            request.arg(operation.command() + USUAL);
        } else {
            request.arg(operation.command()).arg(keys.size()).arg(arguments.size());
        }
        arguments.forEach(request::arg);
    }
}
