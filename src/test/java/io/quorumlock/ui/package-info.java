/** Tests of the operator's page in a real browser. */
package io.quorumlock.ui;
