package io.quorumlock.http;

import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

/** Explains each type of problem at its URI. */
@Singleton
@Path("/problems/{slug}")
final class ProblemsResource {
    @GET
    public Uni<Response> page(@PathParam("slug") String slug) {
        ProblemType type = ProblemType.ofSlug(slug).orElseThrow(() -> new Refusal(Problems.notFound()));
        return Uni.createFrom()
                .item(Response.ok(type.page())
                        .header(HttpHeaders.CONTENT_TYPE, "text/markdown;charset=UTF-8")
                        .build());
    }
}
