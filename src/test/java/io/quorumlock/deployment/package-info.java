/** Holds what ships the service against the program and against itself: manifests, alerts, dashboard, container files. */
package io.quorumlock.deployment;
