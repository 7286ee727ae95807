// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quorumlock.core.lock.Limits;

/** The fields of a request, bound to a record. The names of its components are those of the fields. */
public interface RequestFields {
    /** Checks the rules that go beyond the type of one field. */
    void check(FieldErrors errors, Limits limits);
}
