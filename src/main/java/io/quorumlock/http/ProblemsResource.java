// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quarkus.arc.All;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.RestPath;

/** The page of each problem type, at the URI of the type. */
@Path("/problems/{slug}")
@Singleton
public final class ProblemsResource {
    private final List<ProblemType> types;

    ProblemsResource(@All List<ProblemType> ofFeatures) {
        this.types =
                Stream.concat(ProblemType.CORE.stream(), ofFeatures.stream()).toList();
    }

    /** Returns the page of a problem type. */
    @GET
    @Produces("text/markdown;charset=UTF-8")
    public String page(@RestPath String slug) {
        return types.stream()
                .filter(type -> type.slug().equals(slug))
                .findAny()
                .orElseThrow(() -> new ProblemException(Problems.notFound()))
                .page();
    }
}
