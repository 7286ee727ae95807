// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.core.lock.Limits;

/** The fields of a call that has none. */
record NoFields() implements RequestFields {
    @Override
    public void check(FieldErrors errors, Limits limits) {}
}
