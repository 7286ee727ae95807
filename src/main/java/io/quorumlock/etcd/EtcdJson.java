// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.etcd;

import io.vertx.core.json.JsonObject;

/** Numbers of the JSON gateway, which are texts because they have 64 bits; a zero is left out. */
final class EtcdJson {
    private EtcdJson() {}

    static long number(JsonObject object, String field) {
        return Long.parseLong(object.getString(field, "0"));
    }

    /** Returns the revision of the store at the time of an answer. */
    static long headerRevision(JsonObject answer) {
        return number(answer.getJsonObject("header"), "revision");
    }
}
