// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.security.NoSuchAlgorithmException;
import javax.crypto.KeyGenerator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.CryptoUtils;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;

/**
 * The key with which the tasks of a job encrypt their outputs ({@code
 * mapreduce.job.encrypted-intermediate-data}). MRAppMaster makes one too and shows it to nobody, so
 * Drover's listener hands out this one, to tasks and to workers that make replicas; it is on no
 * disk. A job that encrypts its outputs has a single AppMaster (JobSubmitter), so no other key is
 * ever needed.
 */
final class SpillKey {
  private SpillKey() {}

  /** Makes a key as MRAppMaster does; a single 0 if the job does not encrypt its outputs. */
  static byte[] create(Configuration conf) {
    if (!CryptoUtils.isEncryptedSpillEnabled(conf)) {
      return new byte[] {0};
    }
    try {
      KeyGenerator keys = KeyGenerator.getInstance(MRAppMaster.INTERMEDIATE_DATA_ENCRYPTION_ALGO);
      keys.init(
          conf.getInt(
              MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA_KEY_SIZE_BITS,
              MRJobConfig.DEFAULT_MR_ENCRYPTED_INTERMEDIATE_DATA_KEY_SIZE_BITS));
      return keys.generateKey().getEncoded();
    } catch (NoSuchAlgorithmException e) {
      throw new YarnRuntimeException("no key can be made to encrypt outputs", e);
    }
  }
}
