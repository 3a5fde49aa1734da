// SPDX-License-Identifier: Apache-2.0
package io.drover.testing;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Rewrites the classes of Hadoop's test jars while they are loaded: where they extend, make or name
 * the class of one that Drover replaces, they extend, make or name Drover's. Casts and checks stay:
 * Drover's are subclasses. So Hadoop's own tests test Drover.
 *
 * <p>Whatever is made so is counted ({@link #made}): so a test can be asked whether it has tested
 * Drover at all.
 */
public final class InPlace implements ClassFileTransformer {
  private static final String THIS = InPlace.class.getName().replace('.', '/');
  private static final AtomicInteger MADE = new AtomicInteger();

  private final Pattern jars;
  private final Map<String, String> replaced;
  private final Map<String, String> calls;

  /**
   * Rewrites nothing yet.
   *
   * @param jars the path of a jar whose classes are rewritten
   * @param replaced Hadoop's classes, and those with the same constructors that take their place,
   *     by their names in class files
   * @param calls static methods, as {@code owner.name}, and the owners of those of the same name
   *     that are called instead
   */
  public InPlace(String jars, Map<String, String> replaced, Map<String, String> calls) {
    this.jars = Pattern.compile(jars);
    this.replaced = replaced;
    this.calls = calls;
  }

  /** How many objects of Drover's classes have been made in the place of Hadoop's. */
  public static int made() {
    return MADE.get();
  }

  /** An object of Drover's has been made: called by the rewritten code after each constructor. */
  public static void count() {
    MADE.incrementAndGet();
  }

  /**
   * Rewrites what is loaded from now on, and what was before: whoever looks for tests loads some.
   * Of a class that is loaded the parent stays.
   */
  void install(Instrumentation instrumentation) {
    instrumentation.addTransformer(this, true);
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (isOfHadoopsTests(loaded.getProtectionDomain())) {
        try {
          instrumentation.retransformClasses(loaded);
        } catch (UnmodifiableClassException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] stock) {
    if (name == null || !isOfHadoopsTests(domain)) {
      return null; // as it is
    }
    ClassReader reader = new ClassReader(stock);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new Replacing(writer, redefined == null), 0);
    return writer.toByteArray();
  }

  private boolean isOfHadoopsTests(ProtectionDomain domain) {
    return domain != null
        && domain.getCodeSource() != null
        && jars.matcher(domain.getCodeSource().getLocation().getPath()).matches();
  }

  private final class Replacing extends ClassVisitor {
    private final boolean parents;

    Replacing(ClassVisitor next, boolean parents) {
      super(Opcodes.ASM9, next);
      this.parents = parents;
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        String signature,
        String parent,
        String[] interfaces) {
      String ours = parents ? replaced.getOrDefault(parent, parent) : parent;
      super.visit(version, access, name, signature, ours, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new MakingOurs(super.visitMethod(access, name, descriptor, signature, exceptions));
    }
  }

  private final class MakingOurs extends MethodVisitor {
    MakingOurs(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitTypeInsn(int code, String type) {
      super.visitTypeInsn(code, code == Opcodes.NEW ? replaced.getOrDefault(type, type) : type);
    }

    @Override
    public void visitLdcInsn(Object constant) {
      String ours = constant instanceof Type type ? replaced.get(type.getInternalName()) : null;
      super.visitLdcInsn(ours == null ? constant : Type.getObjectType(ours));
    }

    @Override
    public void visitMethodInsn(
        int code, String owner, String name, String descriptor, boolean isInterface) {
      String instead = calls.get(owner + "." + name);
      if (instead != null) {
        super.visitMethodInsn(code, instead, name, descriptor, isInterface);
        return;
      }
      boolean makes = name.equals("<init>") && replaced.containsKey(owner);
      String ours = makes ? replaced.get(owner) : owner;
      super.visitMethodInsn(code, ours, name, descriptor, isInterface);
      if (makes) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, THIS, "count", "()V", false);
      }
    }
  }
}
