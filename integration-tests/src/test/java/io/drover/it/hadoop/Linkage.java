// SPDX-License-Identifier: Apache-2.0
package io.drover.it.hadoop;

import io.drover.it.hadoop.ClassFiles.Member;
import io.drover.it.hadoop.ClassFiles.Type;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Links classes on a class path as a JVM does (The Java Virtual Machine Specification, section
 * 5.4), without loading one: every class, field and method that their code names must be there,
 * must be accessible, and must be static or not as the code expects; and what they extend must
 * allow it.
 */
final class Linkage {
  /** The JDK has one method of each name, whose descriptor is that of the call. */
  private static final Set<String> ANY_DESCRIPTOR =
      Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");

  private final ClassFiles files;
  private final Set<String> checked;
  private final Set<String> errors = new TreeSet<>();

  /**
   * Links nothing yet.
   *
   * @param files what the classes are linked with; it contains them
   * @param checked the classes
   */
  Linkage(ClassFiles files, Set<String> checked) {
    this.files = files;
    this.checked = checked;
  }

  /** Returns what a JVM would refuse, a line each. */
  Set<String> errors() {
    for (String name : checked) {
      Type type = files.find(name).orElseThrow();
      parents(type);
      overridden(type);
      unimplemented(type);
      files.reader(name).accept(new References(type), ClassReader.SKIP_FRAMES);
    }
    return errors;
  }

  /**
   * Returns the methods of the classes that override one of other classes. Where one does so with
   * one version of a library and not with another, nobody calls it there, and no JVM complains.
   */
  Set<String> overrides() {
    Set<String> overrides = new TreeSet<>();
    for (String name : checked) {
      Type type = files.find(name).orElseThrow();
      for (Member method : instanceMethods(type)) {
        inherited(type, method.key())
            .filter(above -> !checked.contains(above.owner().name()))
            .filter(above -> !above.is(Opcodes.ACC_PRIVATE) && isVisible(above, type))
            .findFirst()
            .ifPresent(above -> overrides.add(name + "." + method.key()));
      }
    }
    return overrides;
  }

  private void parents(Type type) {
    for (String name : type.parents()) {
      Optional<Type> parent = named(type, name);
      if (parent.filter(found -> found.is(Opcodes.ACC_FINAL)).isPresent()) {
        errors.add(type.name() + " extends " + name + ", which is final");
      }
    }
  }

  private void overridden(Type type) {
    for (Member method : instanceMethods(type)) {
      inherited(type, method.key())
          .filter(above -> above.is(Opcodes.ACC_FINAL) && !above.is(Opcodes.ACC_STATIC))
          .filter(above -> !above.is(Opcodes.ACC_PRIVATE) && isVisible(above, type))
          .forEach(
              above ->
                  errors.add(
                      type.name()
                          + "."
                          + method.key()
                          + " overrides that of "
                          + above.owner().name()
                          + ", which is final"));
    }
  }

  private void unimplemented(Type type) {
    if (type.is(Opcodes.ACC_ABSTRACT)) {
      return;
    }
    Set<Type> lineage = files.lineage(type.name());
    for (Type above : lineage) {
      for (Member method : above.members()) {
        boolean isDone =
            !method.is(Opcodes.ACC_ABSTRACT)
                || lineage.stream()
                    .flatMap(each -> each.member(method.key()).stream())
                    .anyMatch(each -> !each.is(Opcodes.ACC_ABSTRACT));
        if (!isDone) {
          errors.add(type.name() + " does not implement " + above.name() + "." + method.key());
        }
      }
    }
  }

  private static List<Member> instanceMethods(Type type) {
    return type.members().stream()
        .filter(Member::isMethod)
        .filter(member -> !member.is(Opcodes.ACC_STATIC) && !member.is(Opcodes.ACC_PRIVATE))
        .filter(member -> !member.key().startsWith("<"))
        .toList();
  }

  private Stream<Member> inherited(Type type, String key) {
    return files.lineage(type.name()).stream()
        .filter(above -> !above.equals(type))
        .flatMap(above -> above.member(key).stream());
  }

  /** Returns whether a package-private member is in the same package, or is none. */
  private static boolean isVisible(Member member, Type from) {
    return member.is(Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED) || member.owner().isBeside(from);
  }

  /** Finds a class that another one names. */
  private Optional<Type> named(Type from, String name) {
    Optional<Type> type = files.find(name);
    if (type.isEmpty()) {
      errors.add(from.name() + " needs " + name + ", which is missing");
    } else if (!type.get().is(Opcodes.ACC_PUBLIC) && !type.get().isBeside(from)) {
      errors.add(from.name() + " may not see " + name);
    }
    return type;
  }

  private void member(Type from, String owner, String key, Optional<Boolean> isStatic) {
    if (owner.startsWith("[") || ANY_DESCRIPTOR.contains(owner) || named(from, owner).isEmpty()) {
      return;
    }
    Optional<Member> found =
        files.lineage(owner).stream().flatMap(type -> type.member(key).stream()).findFirst();
    String what = from.name() + " uses " + owner + "." + key + ", which ";
    if (found.isEmpty()) {
      errors.add(what + "is missing");
    } else if (!mayUse(from, found.get())) {
      errors.add(what + "it may not see");
    } else if (isStatic.filter(asked -> asked != found.get().is(Opcodes.ACC_STATIC)).isPresent()) {
      errors.add(what + "is static or not, unlike expected");
    }
  }

  private boolean mayUse(Type from, Member member) {
    Type owner = member.owner();
    if (member.is(Opcodes.ACC_PUBLIC) || checked.contains(owner.name())) {
      return true; // of the checked classes the compiler has seen to it
    }
    boolean isNear = owner.isBeside(from);
    return !member.is(Opcodes.ACC_PRIVATE)
        && (isNear
            || (member.is(Opcodes.ACC_PROTECTED) && files.lineage(from.name()).contains(owner)));
  }

  /** Checks what the code of a class names. */
  private final class References extends ClassVisitor {
    private final Type type;

    References(Type type) {
      super(Opcodes.ASM9);
      this.type = type;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] thrown) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitTypeInsn(int opcode, String named) {
          object(named);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
          boolean isStatic = opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC;
          member(type, owner, name + descriptor, Optional.of(isStatic));
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String name, String descriptor, boolean ofInterface) {
          boolean isStatic = opcode == Opcodes.INVOKESTATIC;
          member(type, owner, name + descriptor, Optional.of(isStatic));
          kind(owner, ofInterface);
        }

        @Override
        public void visitInvokeDynamicInsn(
            String name, String descriptor, Handle bootstrap, Object... arguments) {
          for (Object argument : arguments) {
            constant(argument);
          }
        }

        @Override
        public void visitLdcInsn(Object value) {
          constant(value);
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, String caught) {
          if (caught != null) {
            object(caught);
          }
        }
      };
    }

    private void object(String named) {
      net.bytebuddy.jar.asm.Type innermost = net.bytebuddy.jar.asm.Type.getObjectType(named);
      if (innermost.getSort() == net.bytebuddy.jar.asm.Type.ARRAY) {
        innermost = innermost.getElementType();
      }
      if (innermost.getSort() == net.bytebuddy.jar.asm.Type.OBJECT) {
        named(type, innermost.getInternalName());
      }
    }

    private void constant(Object value) {
      if (value instanceof Handle handle) {
        member(type, handle.getOwner(), handle.getName() + handle.getDesc(), Optional.empty());
        kind(handle.getOwner(), handle.isInterface());
      } else if (value instanceof net.bytebuddy.jar.asm.Type named
          && named.getSort() != net.bytebuddy.jar.asm.Type.METHOD) {
        object(named.getInternalName());
      }
    }

    private void kind(String owner, boolean ofInterface) {
      files
          .find(owner)
          .filter(found -> found.is(Opcodes.ACC_INTERFACE) != ofInterface)
          .ifPresent(found -> errors.add(type.name() + " takes " + owner + " for the other kind"));
    }
  }
}
