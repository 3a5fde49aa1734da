// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test with the cluster to itself, in a class with some that run {@link BesideOthers}: it looks
 * at times, at room, or at every container that it finds.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ResourceLock(Alone.CLUSTER)
@interface Alone {
  /** What they lock. */
  String CLUSTER = "cluster";
}
