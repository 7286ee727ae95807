FROM eclipse-temurin:25-jdk AS build
WORKDIR /build
ENV BUILD="./mvnw -B -q -ntp -Dspotless.check.skip -Dmaven.test.skip package"
COPY mvnw pom.xml ./
COPY .mvn .mvn
# An empty project first: it fetches all that a build needs, into a layer that only a change of pom.xml makes anew.
RUN $BUILD && rm -rf target
COPY openapi.yaml ./
COPY src/main src/main
RUN $BUILD

FROM eclipse-temurin:25-jre
LABEL org.opencontainers.image.title="Quorumlock" \
      org.opencontainers.image.description="Locks by quorum, over plain HTTP" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
# What changes least comes first, so that a new version is a small layer.
COPY --from=build /build/target/quarkus-app/lib/ lib/
COPY --from=build /build/target/quarkus-app/quarkus/ quarkus/
COPY --from=build /build/target/quarkus-app/*.jar ./
COPY --from=build /build/target/quarkus-app/app/ app/
# A number, so that an orchestrator can tell that it is not root; nothing here is writable for it.
USER 10001:10001
EXPOSE 8080
# Bash and its sockets, because a JRE image need not have curl. Asks for liveness: no restart brings a master back.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 CMD ["/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${QUARKUS_HTTP_PORT:-8080} && printf 'GET /q/health/live HTTP/1.0\\r\\n\\r\\n' >&3 && read -r status <&3 && [[ $status == *' 200 '* ]]"]
# The two switches silence warnings of Java 25 about Netty, which are not ours to mend.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=70", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-jar", "quarkus-run.jar"]
