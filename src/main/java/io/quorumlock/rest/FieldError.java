package io.quorumlock.rest;

/**
 * The error of one field.
 *
 * @param field the name that the client used; "body" or "query" if the name could not be read
 * @param detail the rule that the value breaks
 */
record FieldError(String field, String detail) {}
