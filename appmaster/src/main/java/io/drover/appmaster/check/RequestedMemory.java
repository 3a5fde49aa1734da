// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.check;

import io.drover.core.config.BadSettingException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.util.UnitsConversionUtil;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/**
 * How much memory a configuration asks for, for one kind of container. A key of YARN's resource
 * types, such as {@code yarn.app.mapreduce.am.resource.memory-mb}, whose value may have a unit,
 * takes precedence over MapReduce's own ({@code YARNRunner.generateResourceRequests}, {@code
 * TaskAttemptImpl.createContainerLaunchContext}).
 *
 * @param key the key that holds
 * @param mb what it asks for, MB
 */
public record RequestedMemory(String key, long mb) {
  private static final String MEBI = "Mi";

  /**
   * Returns what is asked for an AppMaster.
   *
   * @throws BadSettingException if the value of a resource type cannot be read
   */
  public static RequestedMemory ofAppMaster(Configuration conf) throws BadSettingException {
    String key = keyOfAppMaster(conf);
    long mb =
        key.equals(MRJobConfig.MR_AM_VMEM_MB)
            ? conf.getInt(key, MRJobConfig.DEFAULT_MR_AM_VMEM_MB)
            : mb(key, conf.get(key));
    return new RequestedMemory(key, mb);
  }

  /** Returns the key that holds for an AppMaster. */
  static String keyOfAppMaster(Configuration conf) {
    return key(conf, MRJobConfig.MR_AM_RESOURCE_PREFIX).orElse(MRJobConfig.MR_AM_VMEM_MB);
  }

  /**
   * Returns what is asked for a map. One whose memory is not set has Hadoop's default.
   *
   * @throws BadSettingException if the value of a resource type cannot be read
   */
  public static RequestedMemory ofMap(Configuration conf) throws BadSettingException {
    Optional<String> ofType = key(conf, MRJobConfig.MAP_RESOURCE_TYPE_PREFIX);
    if (ofType.isPresent()) {
      return new RequestedMemory(ofType.get(), mb(ofType.get(), conf.get(ofType.get())));
    }
    int mb = conf.getInt(MRJobConfig.MAP_MEMORY_MB, 0);
    return new RequestedMemory(
        MRJobConfig.MAP_MEMORY_MB, mb > 0 ? mb : MRJobConfig.DEFAULT_MAP_MEMORY_MB);
  }

  /** Returns the key of a resource type that is set; Hadoop refuses both at once. */
  private static Optional<String> key(Configuration conf, String prefix) {
    return Stream.of(
            prefix + MRJobConfig.RESOURCE_TYPE_ALTERNATIVE_NAME_MEMORY,
            prefix + MRJobConfig.RESOURCE_TYPE_NAME_MEMORY)
        .filter(key -> conf.get(key) != null)
        .findFirst();
  }

  private static long mb(String key, String text) throws BadSettingException {
    Matcher matcher = ResourceUtils.RESOURCE_REQUEST_VALUE_PATTERN.matcher(text);
    try {
      if (matcher.matches()) {
        String unit = matcher.group(2).isEmpty() ? MEBI : matcher.group(2);
        return UnitsConversionUtil.convert(unit, MEBI, Long.parseLong(matcher.group(1)));
      }
    } catch (IllegalArgumentException e) {
      throw bad(key, text); // a unit that YARN does not have, or too large a number
    }
    throw bad(key, text);
  }

  private static BadSettingException bad(String key, String text) {
    return new BadSettingException(key + " is " + text + ", which is no amount of memory");
  }

  /** Returns what a container of this size gets: YARN rounds up to a multiple of its minimum. */
  long grantedMb(Configuration conf) {
    long least = leastMb(conf);
    boolean isRounded = least > 0 && mb <= Long.MAX_VALUE - least;
    return isRounded ? (Math.max(mb, least) + least - 1) / least * least : mb;
  }

  private static long leastMb(Configuration conf) {
    return conf.getLong(
        YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB,
        YarnConfiguration.DEFAULT_RM_SCHEDULER_MINIMUM_ALLOCATION_MB);
  }
}
