/** What tests of several rooms share: real Redis servers that can be killed, suspended and started again. */
package io.quorumlock.testing;
