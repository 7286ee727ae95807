package io.quorumlock.rest;

/**
 * Tells what is wrong with one field.
 *
 * @param field as the client named it; "body" or "query" where that could not be read
 */
record FieldError(String field, String detail) {}
