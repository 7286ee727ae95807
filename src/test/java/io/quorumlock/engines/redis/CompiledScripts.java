// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import org.luaj.vm2.Prototype;
import org.luaj.vm2.compiler.LuaC;

/** The production scripts, compiled once for all servers in memory. */
final class CompiledScripts {
    private static final Map<LuaScript, Prototype> COMPILED = new EnumMap<>(LuaScript.class);

    static {
        for (LuaScript script : LuaScript.values()) {
            byte[] source = script.source().getBytes(StandardCharsets.UTF_8);
            try {
                COMPILED.put(script, LuaC.instance.compile(new ByteArrayInputStream(source), script.name()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private CompiledScripts() {}

    static Prototype of(LuaScript script) {
        return COMPILED.get(script);
    }
}
