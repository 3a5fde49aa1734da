// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.check;

import io.drover.client.DroverClientProvider;
import io.drover.speculator.AppMasterNotice;
import io.drover.speculator.DroverSpeculator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.app.speculate.DefaultSpeculator;

/**
 * Which AppMaster and which speculator the jobs of a configuration run with.
 *
 * <p>Hadoop starts the AppMaster with {@code java <admin-command-opts> <command-opts> <Hadoop's
 * class>}. Java runs the first class that it finds there, so a class at the end of {@code
 * command-opts} takes the place of Hadoop's, and all words behind it are its arguments, other
 * classes too. The fragments in conf/ let the shell on the node choose: {@code $(test -r JAR &&
 * echo CLASS)}.
 *
 * @param appMaster the AppMaster
 * @param behind the words of the options behind the class, which the JVM does not see
 * @param beaten the classes among these words, which run nowhere, or, if the shell chooses the
 *     first one, where it does not
 * @param isShipped whether the client sends the jar along with each job
 * @param speculator the speculator
 */
public record AppMasterChoice(
    Chosen appMaster,
    List<String> behind,
    List<Chosen> beaten,
    boolean isShipped,
    Chosen speculator) {
  /** The name of Drover's AppMaster. */
  public static final String APP_MASTER = AppMasterNotice.DROVERS;

  private static final String SPECULATOR = DroverSpeculator.class.getName();

  /** {@code $(…)}, whose output takes its place. */
  private static final Pattern SHELL = Pattern.compile("\\$\\(([^)]*)\\)");

  private static final Pattern TESTED_FILE = Pattern.compile("(?:test|\\[)\\s+-\\w\\s+(\\S+)");
  private static final String NAME = "[a-zA-Z_][\\w$]*(?:\\.[a-zA-Z_][\\w$]*)+";
  private static final Pattern CLASS = Pattern.compile(NAME);
  private static final Pattern ECHOED_CLASS = Pattern.compile("echo\\s+(" + NAME + ")");

  /** {@code ${env.NAME:-CLASS}}. */
  private static final Pattern OF_ENVIRONMENT = Pattern.compile("\\$\\{env\\.(\\w+)(?::?-.*)?}");

  /** Options of java that take the next word as their value. */
  private static final Set<String> WITH_VALUE =
      Set.of(
          "-cp",
          "-classpath",
          "--class-path",
          "-p",
          "--module-path",
          "--add-modules",
          "--add-opens",
          "--add-exports",
          "--add-reads");

  /** Who has made a class. */
  public enum Origin {
    /** Drover. */
    DROVER,
    /** Drover on nodes that have the jar, and Hadoop elsewhere. */
    DROVER_WHERE_THE_JAR_IS,
    /** Hadoop. */
    HADOOP,
    /** Neither of them. */
    OTHER
  }

  /**
   * A class that is chosen.
   *
   * @param by who has made it
   * @param className its name
   * @param jar the file that a node must have, if the shell there looks for one
   */
  public record Chosen(Origin by, String className, Optional<String> jar) {
    /** Returns whether it is Drover's, at least on some nodes. */
    public boolean isDrovers() {
      return by == Origin.DROVER || by == Origin.DROVER_WHERE_THE_JAR_IS;
    }
  }

  /** Returns whether jobs run in Drover's AppMaster, at least on some nodes. */
  public boolean isDroversAppMaster() {
    return appMaster.isDrovers();
  }

  /** Returns whether jobs have Drover's speculator or more, at least on some nodes. */
  public boolean isOn() {
    return isDroversAppMaster() || speculator.isDrovers();
  }

  /** Reads the choice from the configuration of clients. */
  public static AppMasterChoice of(Configuration conf) {
    boolean isShipped =
        conf.getTrimmed(MRConfig.FRAMEWORK_NAME, "").equals(DroverClientProvider.FRAMEWORK);
    String options =
        conf.get(MRJobConfig.MR_AM_ADMIN_COMMAND_OPTS, "")
            + " "
            + conf.get(MRJobConfig.MR_AM_COMMAND_OPTS, "");
    List<String> behind = new ArrayList<>();
    List<Chosen> named = new ArrayList<>();
    classes(options, named, behind);
    Chosen appMaster =
        named.isEmpty()
            ? appMaster(isShipped ? APP_MASTER : MRJobConfig.APPLICATION_MASTER_CLASS)
            : named.remove(0);
    return new AppMasterChoice(
        appMaster, List.copyOf(behind), List.copyOf(named), isShipped, speculator(conf, appMaster));
  }

  /** Returns this choice in a process in which Drover's AppMaster runs, whatever was to decide. */
  AppMasterChoice inDroversAppMaster() {
    Chosen itself = new Chosen(Origin.DROVER, APP_MASTER, Optional.empty());
    return new AppMasterChoice(itself, behind, beaten, isShipped, speculator);
  }

  /**
   * Finds the classes that options name.
   *
   * @param named is given the classes, the first of which runs
   * @param behind is given the words behind the first class
   */
  private static void classes(String options, List<Chosen> named, List<String> behind) {
    String substitute = "\u0000"; // one word in the place of what the shell computes
    Matcher shell = SHELL.matcher(options);
    List<String> computed = shell.results().map(result -> result.group(1)).toList();
    String[] words = shell.replaceAll(substitute).strip().split("\\s+");
    int substitutes = 0;
    for (int i = 0; i < words.length; i++) {
      String word = words[i];
      boolean isComputed = word.contains(substitute);
      if (!named.isEmpty()) {
        behind.add(isComputed ? "$(" + computed.get(substitutes) + ")" : word);
      }
      if (isComputed) {
        inShell(computed.get(substitutes++), APP_MASTER).ifPresent(named::add);
      } else if (CLASS.matcher(word).matches() && (i == 0 || !WITH_VALUE.contains(words[i - 1]))) {
        named.add(appMaster(word));
      }
    }
  }

  private static Chosen appMaster(String className) {
    Origin by =
        switch (className) {
          case APP_MASTER -> Origin.DROVER;
          case MRJobConfig.APPLICATION_MASTER_CLASS -> Origin.HADOOP;
          default -> Origin.OTHER;
        };
    return new Chosen(by, className, Optional.empty());
  }

  /** Returns the class that a shell command prints under some condition. */
  private static Optional<Chosen> inShell(String command, String drovers) {
    Matcher echoed = ECHOED_CLASS.matcher(command);
    if (!echoed.find()) {
      return Optional.empty();
    }
    Matcher tested = TESTED_FILE.matcher(command);
    Optional<String> jar = tested.find() ? Optional.of(tested.group(1)) : Optional.empty();
    Origin by = echoed.group(1).equals(drovers) ? Origin.DROVER_WHERE_THE_JAR_IS : Origin.OTHER;
    return Optional.of(new Chosen(by, echoed.group(1), jar));
  }

  private static Chosen speculator(Configuration conf, Chosen appMaster) {
    String key = MRJobConfig.MR_AM_JOB_SPECULATOR;
    String raw = conf.getRaw(key);
    if (raw == null || raw.isBlank()) {
      return appMaster.isDrovers()
          ? new Chosen(appMaster.by(), SPECULATOR, appMaster.jar())
          : new Chosen(Origin.HADOOP, DefaultSpeculator.class.getName(), Optional.empty());
    }
    Optional<Chosen> computed =
        variable(conf).flatMap(name -> ofEnvironment(conf, name)).filter(Chosen::isDrovers);
    return computed.orElseGet(() -> speculator(conf.getTrimmed(key, "")));
  }

  private static Chosen speculator(String className) {
    Origin by =
        className.equals(SPECULATOR)
            ? Origin.DROVER
            : className.equals(DefaultSpeculator.class.getName()) ? Origin.HADOOP : Origin.OTHER;
    return new Chosen(by, className, Optional.empty());
  }

  /** Returns the environment variable from which the speculator's class comes, if it does. */
  static Optional<String> variable(Configuration conf) {
    String raw = conf.getRaw(MRJobConfig.MR_AM_JOB_SPECULATOR);
    Matcher matcher = OF_ENVIRONMENT.matcher(raw == null ? "" : raw.trim());
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** Returns the class that the AppMaster's environment has in a variable; empty if it has none. */
  static Optional<Chosen> ofEnvironment(Configuration conf, String variable) {
    String all = conf.get(MRJobConfig.MR_AM_ENV, "");
    Matcher assigned = Pattern.compile("(?:^|,)\\s*" + variable + "=([^,]*)").matcher(all);
    String value = assigned.find() ? assigned.group(1) : null;
    String own = conf.get(MRJobConfig.MR_AM_ENV + "." + variable, value);
    if (own == null) {
      return Optional.empty();
    }
    Matcher shell = SHELL.matcher(own);
    return shell.find() ? inShell(shell.group(1), SPECULATOR) : Optional.of(speculator(own.trim()));
  }
}
