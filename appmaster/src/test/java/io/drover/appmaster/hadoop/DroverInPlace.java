// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.hadoop;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Rewrites the classes of Hadoop's test jars while they are loaded: where they extend or make one
 * of Hadoop's classes that Drover replaces, they extend or make Drover's. Otherwise the tests stay
 * as they are, but for their clock ({@link #laterThanBefore}).
 *
 * <p>Whatever is made so is counted ({@link #made}): so a test can be asked whether it has tested
 * Drover at all.
 */
public final class DroverInPlace implements ClassFileTransformer {
  private static final String JOB = "org/apache/hadoop/mapreduce/v2/app/job/impl/";

  /** Hadoop's classes, and those with the same constructors that take their place. */
  private static final Map<String, String> REPLACED =
      Map.of(
          "org/apache/hadoop/mapreduce/v2/app/MRAppMaster",
          "io/drover/appmaster/DroverAppMasterUnderTest",
          "org/apache/hadoop/mapreduce/v2/app/rm/RMContainerAllocator",
          "io/drover/appmaster/DroverAllocatorUnderTest",
          JOB + "JobImpl",
          "io/drover/appmaster/DroverJobUnderTest",
          JOB + "MapTaskImpl",
          JOB + "DroverMapTaskUnderTest",
          "org/apache/hadoop/mapred/TaskAttemptListenerImpl",
          "io/drover/appmaster/DroverTaskListenerUnderTest",
          "org/apache/hadoop/mapred/MapTaskAttemptImpl",
          JOB + "DroverMapAttempt",
          "org/apache/hadoop/mapred/ReduceTaskAttemptImpl",
          JOB + "DroverReduceAttempt");

  private static final String THIS = DroverInPlace.class.getName().replace('.', '/');

  private static final AtomicInteger MADE = new AtomicInteger();
  private static final AtomicLong TOLD = new AtomicLong();

  /** How many objects of Drover's classes have been made in the place of Hadoop's. */
  public static int made() {
    return MADE.get();
  }

  /** Called by the rewritten code, after each constructor of a class of Drover's. */
  public static void count() {
    MADE.incrementAndGet();
  }

  /**
   * What the rewritten code calls for {@code System.currentTimeMillis()}. TestRecovery wants
   * attempts sorted by such times, and is too fast for two of them to differ always.
   */
  public static long laterThanBefore() {
    return TOLD.updateAndGet(told -> Math.max(told + 1, System.currentTimeMillis()));
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] stock) {
    if (name == null || !isOfHadoopsTests(domain)) {
      return null; // as it is
    }
    ClassReader reader = new ClassReader(stock);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new Replacing(writer), 0);
    return writer.toByteArray();
  }

  private static boolean isOfHadoopsTests(ProtectionDomain domain) {
    return domain != null
        && domain.getCodeSource() != null
        && domain
            .getCodeSource()
            .getLocation()
            .getPath()
            .matches(".*/hadoop-mapreduce-client-[^/]*-tests.jar");
  }

  private static final class Replacing extends ClassVisitor {
    Replacing(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        String signature,
        String parent,
        String[] interfaces) {
      String ours = REPLACED.getOrDefault(parent, parent);
      super.visit(version, access, name, signature, ours, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new MakingOurs(super.visitMethod(access, name, descriptor, signature, exceptions));
    }
  }

  private static final class MakingOurs extends MethodVisitor {
    MakingOurs(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitTypeInsn(int code, String type) {
      super.visitTypeInsn(code, code == Opcodes.NEW ? REPLACED.getOrDefault(type, type) : type);
    }

    @Override
    public void visitMethodInsn(
        int code, String owner, String name, String descriptor, boolean isInterface) {
      if (owner.equals("java/lang/System") && name.equals("currentTimeMillis")) {
        super.visitMethodInsn(code, THIS, "laterThanBefore", descriptor, isInterface);
        return;
      }
      boolean makes = name.equals("<init>") && REPLACED.containsKey(owner);
      String ours = makes ? REPLACED.get(owner) : owner;
      super.visitMethodInsn(code, ours, name, descriptor, isInterface);
      if (makes) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, THIS, "count", "()V", false);
      }
    }
  }
}
