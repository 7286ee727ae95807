/** The settings: their names, types, defaults and bounds, and the checks that need no engine. Only the package app depends on it. */
package io.quorumlock.settings;
