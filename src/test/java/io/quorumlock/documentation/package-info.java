/** Holds the documents against the program: what they show, list and point at is what there is. */
package io.quorumlock.documentation;
