// SPDX-License-Identifier: Apache-2.0
/** What all engines have in common. It runs on their event loop. */
package io.quorumlock.engine;
