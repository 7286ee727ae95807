// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.fleet;

/** A user of the servers and its password. */
public record Login(String user, String password) {
    @Override
    public String toString() {
        return "Login[hidden]";
    }
}
