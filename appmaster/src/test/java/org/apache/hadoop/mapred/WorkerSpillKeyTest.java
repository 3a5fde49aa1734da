// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.junit.jupiter.api.Test;

class WorkerSpillKeyTest {
  private static final JobID JOB = JobID.forName("job_1400000000000_0001");

  @Test
  void keyIsInTheAnswerThatGoesOverTheNetwork() throws IOException {
    byte[] key = {1, 2, 3, 4, 5, 6, 7, 8};
    JvmContext question = new JvmContext(new JVMId(JOB, true, -1), "-1000");
    assertThat(WorkerSpillKey.isAsked(question)).isTrue();
    DataOutputBuffer out = new DataOutputBuffer();
    WorkerSpillKey.answer(question, key).write(out);
    DataInputBuffer in = new DataInputBuffer();
    in.reset(out.getData(), out.getLength());
    JvmTask answer = new JvmTask();
    answer.readFields(in);
    assertThat(answer.shouldDie()).isFalse();
    assertThat(answer.getTask().getEncryptedSpillKey()).isEqualTo(key);
  }

  @Test
  void taskAsksForATask() {
    assertThat(WorkerSpillKey.isAsked(new JvmContext(new JVMId(JOB, true, 7), "-1000"))).isFalse();
  }
}
