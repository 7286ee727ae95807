/** The paths of the HTTP interface. */
package io.quorumlock.paths;
