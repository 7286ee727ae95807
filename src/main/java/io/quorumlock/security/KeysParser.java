package io.quorumlock.security;

import io.quorumlock.lock.ResourcePrefix;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what a file of keys says; all of it, or nothing. */
final class KeysParser {
    private static final int MOST_KEYS = 1_000;
    private static final int MOST_RULES = 100;
    private static final String VERBS =
            Stream.of(Verb.values()).map(Verb::label).collect(Collectors.joining(", "));

    private final StrictJson json;
    private final List<ApiKey> keys = new ArrayList<>();
    private final Set<KeyId> ids = new HashSet<>();
    private final Set<KeyHash> hashes = new HashSet<>();

    private KeysParser(StrictJson json) {
        this.json = json;
    }

    static KeyRing parse(String text) throws InvalidKeysException {
        KeysParser parser = new KeysParser(StrictJson.of(text));
        parser.json.object(Map.of("keys", () -> parser.json.list(MOST_KEYS, parser::key)), Set.of("keys"));
        parser.json.end();
        return new KeyRing(parser.keys);
    }

    /** Gathers the fields of one key, in whatever order they come. */
    private static final class Draft {
        private KeyId id;
        private KeyHash hash;
        private List<AccessRule> rules;
        private Quota quota = Quota.NONE;
    }

    private void key() throws InvalidKeysException {
        Draft draft = new Draft();
        Map<String, StrictJson.Reader> fields = Map.of(
                "id", () -> draft.id = once(ids, made(KeyId::new)),
                "sha256", () -> draft.hash = once(hashes, made(KeyHash::parse)),
                "rules", () -> draft.rules = rules(),
                "quota", () -> draft.quota = quota());
        json.object(fields, Set.of("id", "sha256", "rules"));
        keys.add(new ApiKey(draft.id, draft.hash, new AccessRules(draft.rules), draft.quota));
    }

    private List<AccessRule> rules() throws InvalidKeysException {
        List<AccessRule> rules = new ArrayList<>();
        Set<ResourcePrefix> prefixes = new HashSet<>();
        json.list(MOST_RULES, () -> rules.add(rule(prefixes)));
        return rules;
    }

    private AccessRule rule(Set<ResourcePrefix> prefixes) throws InvalidKeysException {
        List<ResourcePrefix> prefix = new ArrayList<>(1);
        Set<Verb> verbs = EnumSet.noneOf(Verb.class);
        Map<String, StrictJson.Reader> fields = Map.of(
                "prefix", () -> prefix.add(once(prefixes, made(ResourcePrefix::new))),
                "verbs", () -> json.list(Verb.values().length, () -> once(verbs, verb())));
        json.object(fields, Set.of("prefix", "verbs"));
        return new AccessRule(prefix.get(0), verbs);
    }

    private Verb verb() throws InvalidKeysException {
        return Verb.labelled(json.text()).orElseThrow(() -> json.bad("must be one of " + VERBS));
    }

    private Quota quota() throws InvalidKeysException {
        Map<String, Integer> bounds = new HashMap<>();
        Map<String, StrictJson.Reader> fields = Map.of(
                "requestsPerSecond", () -> bounds.put("requests", json.number(1, Quota.MOST_REQUESTS)),
                "waiters", () -> bounds.put("waiters", json.number(0, Quota.MOST_WAITERS)));
        json.object(fields, Set.of());
        return new Quota(Optional.ofNullable(bounds.get("requests")), Optional.ofNullable(bounds.get("waiters")));
    }

    private <T> T made(Function<String, T> make) throws InvalidKeysException {
        try {
            return make.apply(json.text());
        } catch (IllegalArgumentException e) {
            throw json.bad(e.getMessage());
        }
    }

    private <T> T once(Set<T> seen, T value) throws InvalidKeysException {
        if (!seen.add(value)) {
            throw json.bad("is the same as that of an entry before it");
        }
        return value;
    }
}
