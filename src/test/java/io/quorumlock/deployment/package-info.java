/** Tests of the files that deploy the service, such as manifests, alerts, dashboard and container files. */
package io.quorumlock.deployment;
