// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.paths.Route;
import java.util.Set;

/** The routes that are switched off. They are answered as paths that do not exist. */
public record HiddenRoutes(Set<Route> routes) {}
