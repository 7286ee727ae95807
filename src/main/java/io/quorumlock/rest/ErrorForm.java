// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.paths.Route;

/** The form of all errors on the paths of a protocol whose clients do not read problem documents. */
public interface ErrorForm {
    Route route();

    /** Returns the body instead of the problem document. */
    Object of(Problem problem);
}
