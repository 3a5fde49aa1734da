// SPDX-License-Identifier: Apache-2.0
package io.drover.it.hadoop;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipFile;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * The classes of some jars, and behind them the JDK's, as their files describe them. No class is
 * loaded. Names are those of class files, such as {@code java/lang/Object}.
 */
final class ClassFiles implements AutoCloseable {
  private static final String SUFFIX = ".class";

  private final List<ZipFile> jars = new ArrayList<>();
  private final Map<String, ZipFile> places = new LinkedHashMap<>();
  private final Map<String, Optional<Type>> types = new HashMap<>();

  /**
   * Opens jars, and searches them in this order.
   *
   * @param classPath the jars
   */
  ClassFiles(List<Path> classPath) throws IOException {
    for (Path path : classPath) {
      ZipFile jar = new ZipFile(path.toFile());
      jars.add(jar);
      jar.stream()
          .map(entry -> entry.getName())
          .filter(name -> name.endsWith(SUFFIX))
          .forEach(
              name -> places.putIfAbsent(name.substring(0, name.length() - SUFFIX.length()), jar));
    }
  }

  /** A class or an interface. */
  static final class Type {
    private final String name;
    private final int access;
    private final List<String> parents = new ArrayList<>();
    private final Map<String, Member> members = new LinkedHashMap<>();

    private Type(ClassReader reader) {
      name = reader.getClassName();
      access = reader.getAccess();
      if (reader.getSuperName() != null) {
        parents.add(reader.getSuperName());
      }
      parents.addAll(List.of(reader.getInterfaces()));
      reader.accept(
          new ClassVisitor(Opcodes.ASM9) {
            @Override
            public FieldVisitor visitField(
                int access, String name, String descriptor, String signature, Object value) {
              add(name + descriptor, access);
              return null;
            }

            @Override
            public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
              add(name + descriptor, access);
              return null;
            }
          },
          ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
    }

    private void add(String key, int itsAccess) {
      members.put(key, new Member(this, key, itsAccess));
    }

    String name() {
      return name;
    }

    boolean is(int flag) {
      return (access & flag) != 0;
    }

    /** Returns the superclass, if there is one, and the interfaces. */
    List<String> parents() {
      return parents;
    }

    Collection<Member> members() {
      return members.values();
    }

    /** Returns a field or method of this class itself, by its name and descriptor. */
    Optional<Member> member(String key) {
      return Optional.ofNullable(members.get(key));
    }

    boolean isBeside(Type other) {
      return packageOf(name).equals(packageOf(other.name));
    }

    private static String packageOf(String name) {
      return name.substring(0, Math.max(0, name.lastIndexOf('/')));
    }
  }

  /** A field or a method. The key is its name and descriptor. */
  record Member(Type owner, String key, int access) {
    boolean is(int flags) {
      return (access & flags) != 0;
    }

    boolean isMethod() {
      return key.indexOf('(') >= 0;
    }
  }

  /** Returns the name of the jar that has a class; empty for one of the JDK's. */
  Optional<String> jarOf(String type) {
    return Optional.ofNullable(places.get(type))
        .map(jar -> Path.of(jar.getName()))
        .map(path -> path.getFileName().toString());
  }

  /** Returns the names of all classes in jars. */
  Set<String> names() {
    return places.keySet();
  }

  /** Returns a reader of a class in a jar. */
  ClassReader reader(String type) {
    ZipFile jar = places.get(type);
    try (InputStream in = jar.getInputStream(jar.getEntry(type + SUFFIX))) {
      return new ClassReader(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a class, if it is there. */
  Optional<Type> find(String name) {
    Optional<Type> known = types.get(name);
    if (known == null) {
      known = places.containsKey(name) ? Optional.of(new Type(reader(name))) : ofJdk(name);
      types.put(name, known);
    }
    return known;
  }

  private static Optional<Type> ofJdk(String name) {
    try (InputStream in = ClassLoader.getPlatformClassLoader().getResourceAsStream(name + SUFFIX)) {
      return in == null ? Optional.empty() : Optional.of(new Type(new ClassReader(in)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns a class and what it extends and implements, superclasses first: the order in which a
   * JVM looks for a method. What is not there is left out.
   */
  Set<Type> lineage(String name) {
    Set<Type> lineage = new LinkedHashSet<>();
    for (Optional<Type> type = find(name); type.isPresent(); type = superclass(type.get())) {
      lineage.add(type.get());
    }
    for (Type type : List.copyOf(lineage)) {
      addInterfaces(type, lineage);
    }
    return lineage;
  }

  private Optional<Type> superclass(Type type) {
    return type.parents().stream()
        .findFirst()
        .flatMap(this::find)
        .filter(parent -> !parent.is(Opcodes.ACC_INTERFACE));
  }

  private void addInterfaces(Type type, Set<Type> to) {
    for (String parent : type.parents()) {
      find(parent)
          .filter(found -> found.is(Opcodes.ACC_INTERFACE))
          .ifPresent(
              found -> {
                to.add(found);
                addInterfaces(found, to);
              });
    }
  }

  @Override
  public void close() throws IOException {
    for (ZipFile jar : jars) {
      jar.close();
    }
  }
}
