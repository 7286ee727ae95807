/** The settings: their names, types, defaults and bounds, and the checks that need no engine. Engines do not know them. */
package io.quorumlock.settings;
