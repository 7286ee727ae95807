/** Locks and states of Terraform and OpenTofu. */
package io.quorumlock.features.terraform;
