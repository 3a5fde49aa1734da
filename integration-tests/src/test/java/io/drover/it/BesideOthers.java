// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test whose job may run beside the others of its class with the same mark, up to as many as
 * junit-platform.properties says: most of a job's time is waiting. For what would come out the same
 * on a cluster that others use. The other tests of its class are marked {@link Alone}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = Alone.CLUSTER, mode = ResourceAccessMode.READ)
public @interface BesideOthers {}
