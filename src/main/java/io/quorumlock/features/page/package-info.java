/** The operator's page. Its files are in META-INF/resources/ui. */
package io.quorumlock.features.page;
