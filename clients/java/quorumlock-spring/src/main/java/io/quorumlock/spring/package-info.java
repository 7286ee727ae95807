/** Locks for applications with Spring Boot and Spring Integration. */
package io.quorumlock.spring;
