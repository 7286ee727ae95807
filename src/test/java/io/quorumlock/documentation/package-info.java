/** Tests that compare the documents with the program. */
package io.quorumlock.documentation;
