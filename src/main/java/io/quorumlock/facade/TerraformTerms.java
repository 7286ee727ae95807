// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.facade;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The terms of locks of Terraform.
 *
 * @param ttl of a lock whose URL names none
 * @param states the store that keeps the states; empty for locks only
 * @param caFile a PEM file with the certificates that the store may have; empty for those of the JVM
 */
public record TerraformTerms(Duration ttl, Optional<URI> states, Optional<Path> caFile) {}
