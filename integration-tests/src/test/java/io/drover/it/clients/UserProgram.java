// SPDX-License-Identifier: Apache-2.0
package io.drover.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A program of a user, made as users make theirs: compiled against the jars of a client, which the
 * tests themselves do not have, and packed into a jar.
 */
final class UserProgram {
  private UserProgram() {}

  /**
   * Compiles a program of src/test/resources/clients.
   *
   * @param name its class, which is in no package
   * @param directory where the jar goes
   * @param jars what it needs besides Hadoop
   * @return the jar
   */
  static Path compile(String name, Path directory, List<Path> jars) throws IOException {
    Path classes = Files.createDirectories(directory.resolve(name + "-classes"));
    Path source = directory.resolve(name + ".java");
    try (InputStream in = UserProgram.class.getResourceAsStream("/clients/" + name + ".java")) {
      Files.write(source, in.readAllBytes());
    }
    List<String> classPath = new ArrayList<>(jars.stream().map(Path::toString).toList());
    classPath.add(System.getProperty("java.class.path"));
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of(
              "-proc:none",
              "-d",
              classes.toString(),
              "-cp",
              classPath.stream().collect(Collectors.joining(File.pathSeparator)));
      Boolean compiled =
          javac.getTask(said, files, null, options, null, files.getJavaFileObjects(source)).call();
      assertThat(compiled).as("%s", said).isTrue();
    }
    return pack(classes, directory.resolve(name + ".jar"));
  }

  private static Path pack(Path classes, Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
    return jar;
  }
}
