// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quorumlock.core.fleet.Login;
import io.quorumlock.engines.etcd.EtcdSettings;
import io.quorumlock.engines.etcd.EtcdStore;
import io.quorumlock.engines.etcd.MemberAddress;
import io.quorumlock.settings.Mistakes;
import io.quorumlock.settings.QuorumlockConfig;
import io.quorumlock.settings.StoreConfig;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The consensus engine on an etcd cluster. */
record EtcdWiring(QuorumlockConfig config) implements EngineWiring {

    /** There are no temporary clusters. */
    @Override
    public boolean isTrial() {
        return false;
    }

    @Override
    public void check(Mistakes mistakes) {
        StoreConfig.Etcd etcd = config.etcd();
        if (etcd.servers().isEmpty()) {
            mistakes.add("QUORUMLOCK_ETCD_SERVERS: not set; write the members of your cluster, for example"
                    + " QUORUMLOCK_ETCD_SERVERS=http://a:2379,http://b:2379,http://c:2379."
                    + " To try the service on etcd, run docker compose -f docker-compose.etcd.yml up --build");
        }
        etcd.servers().stream().flatMap(List::stream).forEach(url -> checkMember(url, mistakes));
        StoreWiring.checkRoot("etcd.root", etcd.root(), mistakes);
        mistakes.checkNeeds("etcd.user", etcd.user(), "etcd.password", etcd.password());
        mistakes.checkNeeds("etcd.password", etcd.password(), "etcd.user", etcd.user());
        mistakes.checkNeeds("etcd.cert-file", etcd.certFile(), "etcd.key-file", etcd.keyFile());
        mistakes.checkNeeds("etcd.key-file", etcd.keyFile(), "etcd.cert-file", etcd.certFile());
        checkFile("etcd.ca-file", etcd.caFile(), mistakes);
        checkFile("etcd.cert-file", etcd.certFile(), mistakes);
        checkFile("etcd.key-file", etcd.keyFile(), mistakes);
    }

    private void checkFile(String key, Optional<Path> path, Mistakes mistakes) {
        List<String> urls = config.etcd().servers().orElse(List.of());
        boolean usesTls = urls.stream().anyMatch(url -> url.startsWith("https://"));
        mistakes.checkFileOfTls(key, path, usesTls, "no member uses TLS; write https:// in QUORUMLOCK_ETCD_SERVERS");
    }

    private static void checkMember(String url, Mistakes mistakes) {
        try {
            MemberAddress.of(url);
        } catch (IllegalArgumentException wrong) {
            mistakes.refuse("etcd.servers", url, wrong.getMessage());
        }
    }

    @Override
    public Backend create(EngineParts parts) {
        StoreConfig.Etcd etcd = config.etcd();
        EtcdSettings settings = new EtcdSettings(
                etcd.servers().orElseThrow().stream().map(MemberAddress::of).toList(),
                etcd.root(),
                parts.readOnly(),
                etcd.timeout(),
                etcd.user().map(user -> new Login(user, etcd.password().orElseThrow())),
                options(etcd));
        EtcdStore store = new EtcdStore(settings, parts.vertx(), parts.context(), parts.serverListener());
        return StoreWiring.create(config, parts, store, etcd.timeout(), StoreWiring.OwnServer.NONE);
    }

    private static HttpClientOptions options(StoreConfig.Etcd etcd) {
        HttpClientOptions options = new HttpClientOptions();
        etcd.caFile().ifPresent(file -> options.setTrustOptions(new PemTrustOptions().addCertPath(file.toString())));
        etcd.certFile()
                .ifPresent(file -> options.setKeyCertOptions(new PemKeyCertOptions()
                        .addCertPath(file.toString())
                        .addKeyPath(etcd.keyFile().orElseThrow().toString())));
        return options;
    }
}
