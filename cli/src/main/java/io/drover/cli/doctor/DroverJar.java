// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/**
 * A jar with Drover's AppMaster in it.
 *
 * @param file where it is
 * @param version the version that it says it has; {@code unknown} if it does not say
 */
record DroverJar(Path file, String version) {
  private static final String APP_MASTER = "io/drover/appmaster/DroverAppMaster.class";
  private static final String MODULE = "META-INF/maven/io.drover/drover-appmaster/pom.properties";

  /**
   * Reads a jar.
   *
   * @return empty if Drover's AppMaster is not in it
   * @throws IOException if it cannot be read, or is no jar
   */
  static Optional<DroverJar> read(Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      return jar.getEntry(APP_MASTER) == null
          ? Optional.empty()
          : Optional.of(new DroverJar(file, version(jar)));
    }
  }

  private static String version(JarFile jar) throws IOException {
    Manifest manifest = jar.getManifest();
    String version =
        manifest == null
            ? null
            : manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
    return version != null ? version : versionOfModule(jar);
  }

  private static String versionOfModule(JarFile jar) throws IOException {
    ZipEntry entry = jar.getEntry(MODULE);
    if (entry == null) {
      return "unknown";
    }
    Properties properties = new Properties();
    try (InputStream in = jar.getInputStream(entry)) {
      properties.load(in);
    }
    return properties.getProperty("version", "unknown");
  }

  /**
   * Returns the file or directory that keeps other users from reading the jar; empty if they can.
   * AppMasters run as the users who submit jobs.
   */
  static Optional<Path> obstacle(Path file) throws IOException {
    Path real = file.toRealPath();
    if (!Files.getPosixFilePermissions(real).contains(PosixFilePermission.OTHERS_READ)) {
      return Optional.of(file);
    }
    for (Path parent = real.getParent(); parent != null; parent = parent.getParent()) {
      if (!Files.getPosixFilePermissions(parent).contains(PosixFilePermission.OTHERS_EXECUTE)) {
        return Optional.of(parent);
      }
    }
    return Optional.empty();
  }
}
