// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** An in-memory compiler of one class, with the class path of the tests. */
final class Compilation {
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    private static final List<String> OPTIONS =
            List.of("-proc:none", "-nowarn", "-parameters", "-cp", System.getProperty("java.class.path"));

    /** Reused, because a new one opens all libraries again. */
    private static final ThreadLocal<JavaFileManager> FILE_MANAGER =
            ThreadLocal.withInitial(() -> COMPILER.getStandardFileManager(null, null, null));

    private final Map<String, ByteArrayOutputStream> compiled = new HashMap<>();

    private Compilation() {}

    /** Returns the bytes of the class and of its nested classes, by name. */
    static Map<String, byte[]> of(String className, String text) {
        Compilation compilation = new Compilation();
        compilation.compile(className, text);
        return compilation.compiled.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().toByteArray()));
    }

    private void compile(String className, String text) {
        StringWriter messages = new StringWriter();
        JavaFileManager files = new Files(FILE_MANAGER.get());
        boolean done = COMPILER.getTask(messages, files, null, OPTIONS, null, List.of(new Source(className, text)))
                .call();
        if (!done) {
            throw new IllegalStateException("does not compile: " + messages);
        }
    }

    /** A file manager that keeps compiled classes in memory. */
    private final class Files extends ForwardingJavaFileManager<JavaFileManager> {
        Files(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(uri(className, kind), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return compiled.computeIfAbsent(className, name -> new ByteArrayOutputStream());
                }
            };
        }
    }

    /** A source file in memory. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String className, String text) {
            super(uri(className, Kind.SOURCE), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static URI uri(String className, JavaFileObject.Kind kind) {
        return URI.create("memory:///" + className.replace('.', '/') + kind.extension);
    }
}
