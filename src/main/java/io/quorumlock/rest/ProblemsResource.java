// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.jboss.resteasy.reactive.RestPath;

/** The page of each problem type, at the URI of the type. */
@Path("/problems/{slug}")
@Singleton
public final class ProblemsResource {
    /** Returns the page of a problem type. */
    @GET
    @Produces("text/markdown;charset=UTF-8")
    public String page(@RestPath String slug) {
        return ProblemType.ofSlug(slug)
                .orElseThrow(() -> new ProblemException(Problems.notFound()))
                .page();
    }
}
