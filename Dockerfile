FROM eclipse-temurin:25.0.3_9-jdk AS build
WORKDIR /build
# A jar layout that supports the start-up archive.
ENV BUILD="./mvnw -B -q -ntp -Dspotless.check.skip -Dmaven.test.skip -Dmaven.gitcommitid.skip -Dquarkus.package.jar.type=aot-jar package"
COPY mvnw pom.xml ./
COPY .mvn .mvn
# Builds an empty project first, which caches the dependencies in a layer that only depends on pom.xml.
RUN $BUILD -Dmaven.antrun.skip && rm -rf target
COPY openapi.yaml ./
COPY clients clients
COPY src/main src/main
# The commit and its date, because there is no repository here.
ARG REVISION
ARG REVISION_DATE
RUN [ -z "$REVISION" ] || printf 'git.commit.id.describe=%s\ngit.commit.time=%s\n' "$REVISION" "$REVISION_DATE" \
      >src/main/resources/META-INF/microprofile-config.properties
RUN $BUILD
RUN mkdir /data

FROM eclipse-temurin:25.0.3_9-jre AS service
WORKDIR /app
# Published ports lead to all interfaces, also in a trial, which otherwise listens on loopback.
ENV QUARKUS_HTTP_HOST=0.0.0.0
COPY deploy/container/probe deploy/container/jvm.options deploy/container/sidecar.options ./
# Copies stable files first, so that a new version adds only a small layer.
COPY --from=build /build/target/quarkus-app/lib/ lib/
COPY --from=build /build/target/quarkus-app/quarkus/ quarkus/
COPY --from=build /build/target/quarkus-app/*.jar ./
COPY --from=build /build/target/quarkus-app/app/ app/
# For QUORUMLOCK_CLUSTER_DATA=/data: a new volume there has this owner.
COPY --from=build --chown=10001:10001 /data /data
# A numeric user, so that an orchestrator can verify that it is not root. It cannot write to any other file here.
USER 10001:10001

# The start-up archive fits only one JVM and one set of jars, so the final ones create it.
FROM service AS training
COPY deploy/container/train /training/
RUN bash /training/train /tmp/app.aot

FROM service
ARG REVISION
LABEL org.opencontainers.image.title="Quorumlock" \
      org.opencontainers.image.description="Distributed locks by quorum over HTTP" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=training /tmp/app.aot ./
EXPOSE 8080
# Checks liveness, not readiness: a restart does not repair a master.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 CMD ["bash", "/app/probe", "/q/health/live"]
ENTRYPOINT ["java", "@jvm.options", "-XX:AOTCache=app.aot", "-jar", "quarkus-run.jar"]
