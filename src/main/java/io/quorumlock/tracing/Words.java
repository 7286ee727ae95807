package io.quorumlock.tracing;

import io.quorumlock.lock.Extension;
import io.quorumlock.lock.ForcedRelease;
import io.quorumlock.lock.Holder;
import io.quorumlock.lock.Release;
import java.util.Locale;

/** Names outcomes and votes as the metrics do: never by what is in them, where there may be a token. */
final class Words {
    private static final ClassValue<String> NAMES = new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> kind) {
            return kind.getSimpleName().replaceAll("([a-z])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
        }
    };

    private Words() {}

    static String of(Object outcome) {
        if (outcome instanceof Extension.Lost lost) {
            return of(lost.holder());
        }
        if (outcome instanceof Release.NotHeld notHeld) {
            return of(notHeld.holder());
        }
        return outcome instanceof ForcedRelease.Broken ? "released" : NAMES.get(outcome.getClass());
    }

    static String of(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    private static String of(Holder holder) {
        return holder == Holder.ANOTHER ? "not_owner" : "lost";
    }
}
