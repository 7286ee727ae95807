FROM eclipse-temurin:25-jdk AS build
WORKDIR /build
# A layout of jars that the JVM can archive.
ENV BUILD="./mvnw -B -q -ntp -Dspotless.check.skip -Dmaven.test.skip -Dquarkus.package.jar.type=aot-jar package"
COPY mvnw pom.xml ./
COPY .mvn .mvn
# An empty project first: it fetches all that a build needs, into a layer that only a change of pom.xml makes anew.
RUN $BUILD && rm -rf target
COPY openapi.yaml ./
COPY src/main src/main
RUN $BUILD

FROM eclipse-temurin:25-jre AS service
WORKDIR /app
COPY deploy/container/probe deploy/container/jvm.options ./
# What changes least comes first, so that a new version is a small layer.
COPY --from=build /build/target/quarkus-app/lib/ lib/
COPY --from=build /build/target/quarkus-app/quarkus/ quarkus/
COPY --from=build /build/target/quarkus-app/*.jar ./
COPY --from=build /build/target/quarkus-app/app/ app/
# A number, so that an orchestrator can tell that it is not root; nothing here is writable for it.
USER 10001:10001

# The archive fits one JVM and one set of jars, so it is made by those that will run.
FROM service AS training
COPY deploy/container/train /training/
RUN bash /training/train /tmp/app.aot

FROM service
LABEL org.opencontainers.image.title="Quorumlock" \
      org.opencontainers.image.description="Locks by quorum, over plain HTTP" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=training /tmp/app.aot ./
EXPOSE 8080
# Asks for liveness: no restart brings a master back.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 CMD ["bash", "/app/probe", "/q/health/live"]
ENTRYPOINT ["java", "@jvm.options", "-XX:AOTCache=app.aot", "-jar", "quarkus-run.jar"]
