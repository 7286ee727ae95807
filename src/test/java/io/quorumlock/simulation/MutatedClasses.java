// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.LongFunction;

/**
 * A class loader that reloads all classes of this project, with production files changed. Other classes come from
 * the usual loader.
 */
final class MutatedClasses extends ClassLoader {
    private static final String OURS = "io.quorumlock.";

    private final Map<String, byte[]> compiled;
    private final Map<String, byte[]> resources;

    private MutatedClasses(Map<String, byte[]> compiled, Map<String, byte[]> resources) {
        super(MutatedClasses.class.getClassLoader());
        this.compiled = compiled;
        this.resources = resources;
    }

    /** @param mutations the changes; none to load the classes unchanged */
    static MutatedClasses of(Mutation... mutations) {
        Map<String, byte[]> compiled = new HashMap<>();
        Map<String, byte[]> resources = new HashMap<>();
        for (Mutation change : mutations) {
            if (change.isJava()) {
                compiled.putAll(Compilation.of(change.className(), change.text()));
            } else {
                resources.put(change.resourceName(), change.text().getBytes(StandardCharsets.UTF_8));
            }
        }
        return new MutatedClasses(compiled, resources);
    }

    /** Returns {@link MutantRun#apply(long[], String)} of the loaded classes. */
    @SuppressWarnings("unchecked")
    BiFunction<long[], String, Map<String, Long>> trial(Scenario scenario) {
        return (BiFunction<long[], String, Map<String, Long>>) newTrial(scenario);
    }

    /** Returns {@link MutantRun#apply(long)} of the loaded classes. */
    @SuppressWarnings("unchecked")
    LongFunction<String[]> replay(Scenario scenario) {
        return (LongFunction<String[]>) newTrial(scenario);
    }

    /** Returns {@link MutantRun#accept(Long, Path)} of the loaded classes. */
    @SuppressWarnings("unchecked")
    BiConsumer<Long, Path> record(Scenario scenario) {
        return (BiConsumer<Long, Path>) newTrial(scenario);
    }

    private Object newTrial(Scenario scenario) {
        try {
            return loadClass(MutantRun.class.getName())
                    .getConstructor(String.class)
                    .newInstance(scenario.name());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = compiled.containsKey(name) ? compiled.get(name) : bytesOf(name);
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] bytesOf(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public InputStream getResourceAsStream(String name) {
        byte[] changed = resources.get(name);
        return changed == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(changed);
    }
}
