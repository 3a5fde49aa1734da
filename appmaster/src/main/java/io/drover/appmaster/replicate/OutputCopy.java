// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.replicate;

import io.drover.appmaster.shuffle.ShuffleClient;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapred.IFileInputStream;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.mapreduce.CryptoUtils;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskAttemptID;

/**
 * Copies the output of a map attempt from the NodeManager that serves it into a local directory of
 * this container's application, where the NodeManager of this node finds and serves it.
 *
 * <p>It reads as reduces do, one part after the other, and checks what they check: that the answer
 * is signed, that each part is the one that was asked for, its length, and its checksum. Compressed
 * and encrypted parts stay as they are; an encrypted one is decrypted to check it.
 *
 * <p><b>Nobody sees half a copy.</b> A NodeManager serves an output only if it finds both its index
 * and its data by their names (ShuffleHandler). Both are written under other names, and renamed
 * when they are complete, the index last. A copy that fails deletes what it has written. The files
 * are in the directory of the application, which the NodeManager deletes after the job.
 */
final class OutputCopy {
  /** How long the source may send nothing. */
  private static final int READ_MILLIS = 20_000;

  /** As long as an id may be in Hadoop's ShuffleHeader. */
  private static final int MOST_ID_CHARACTERS = 1_000;

  private static final int BUFFER = 64 * 1024;

  /** The permissions of the files and the directory: those of the group are the NodeManager's. */
  private static final FsPermission FILE = new FsPermission((short) 0640);

  private static final FsPermission DIRECTORY = new FsPermission((short) 0750);

  private final JobConf conf;
  private final ShuffleClient client;
  private final int reduces;
  private final double bytesPerSecond;
  private final LocalDirAllocator directories = new LocalDirAllocator(MRConfig.LOCAL_DIR);
  private final FileSystem disk;

  /**
   * Creates what makes copies.
   *
   * @param conf the job's configuration with this container's local directories
   * @param reduces how many parts each output has
   * @param bytesPerSecond how much it may read in a second, above 0
   */
  OutputCopy(JobConf conf, ShuffleClient client, int reduces, double bytesPerSecond)
      throws IOException {
    this.conf = conf;
    this.client = client;
    this.reduces = reduces;
    this.bytesPerSecond = bytesPerSecond;
    this.disk = FileSystem.getLocal(conf).getRaw();
  }

  /**
   * Makes a copy. One that is there already is checked instead, and never replaced.
   *
   * @param address where the source is served, such as {@code http://host:13562}
   * @return its bytes
   * @throws IOException if it could not be made; then there is none
   */
  long make(TaskAttemptID output, String address) throws IOException {
    String there = MRJobConfig.OUTPUT + Path.SEPARATOR + output + Path.SEPARATOR + "file.out";
    Path data = directories.getLocalPathForWrite(there, conf); // ifExists works only after it
    if (directories.ifExists(there + ".index", conf)) {
      return check(there);
    }
    Path index = new Path(data.getParent(), data.getName() + ".index");
    Path dataBefore = data.suffix(".copying");
    Path indexBefore = index.suffix(".copying");
    try {
      SpillRecord parts = new SpillRecord(reduces);
      long bytes;
      try (OutputStream out = disk.create(dataBefore)) {
        bytes = copy(output, address, parts, out);
      }
      parts.writeToFile(indexBefore, conf);
      disk.setPermission(data.getParent(), DIRECTORY);
      for (Path file : List.of(dataBefore, indexBefore)) {
        disk.setPermission(file, FILE);
      }
      rename(dataBefore, data);
      rename(indexBefore, index);
      return bytes;
    } catch (IOException | RuntimeException e) {
      for (Path file : List.of(index, data, indexBefore, dataBefore)) {
        disk.delete(file, false);
      }
      throw e;
    }
  }

  /**
   * Checks a copy that an earlier worker has made, but whose AppMaster has died or given it up
   * before it heard of it. It is read as slowly as from another node, and counts as one that was
   * made: what that AppMaster counted is gone with it.
   */
  private long check(String there) throws IOException {
    SpillRecord parts =
        new SpillRecord(directories.getLocalPathToRead(there + ".index", conf), conf);
    Path data = directories.getLocalPathToRead(there, conf);
    Throttle throttle = new Throttle(bytesPerSecond);
    long offset = 0;
    try (InputStream in = new BufferedInputStream(disk.open(data), BUFFER)) {
      for (int reduce = 0; reduce < parts.size(); reduce++) {
        IndexRecord part = parts.getIndex(reduce);
        if (part.startOffset != offset) {
          throw new IOException(data + " has no part at " + offset);
        }
        copyPart(part.partLength, new Passing(in, OutputStream.nullOutputStream(), throttle));
        offset += part.partLength;
      }
    }
    if (parts.size() != reduces || offset != disk.getFileStatus(data).getLen()) {
      throw new IOException(data + " has other parts than its output");
    }
    return offset;
  }

  private void rename(Path from, Path to) throws IOException {
    if (!disk.rename(from, to)) {
      throw new IOException("could not rename " + from + " to " + to);
    }
  }

  private long copy(TaskAttemptID output, String address, SpillRecord parts, OutputStream out)
      throws IOException {
    Throttle throttle = new Throttle(bytesPerSecond);
    long offset = 0;
    for (int reduce = 0; reduce < reduces; reduce++) {
      try (ShuffleClient.Request request = client.ask(address, reduce, List.of(output))) {
        request.connection().setReadTimeout(READ_MILLIS);
        if (!request.isGood()) {
          throw new IOException(
              address + " answers " + request.connection().getResponseCode() + " for " + output);
        }
        try (InputStream in =
            new BufferedInputStream(request.connection().getInputStream(), BUFFER)) {
          IndexRecord part = header(output, reduce, new DataInputStream(in));
          part.startOffset = offset;
          copyPart(part.partLength, new Passing(in, out, throttle));
          parts.putIndex(part, reduce);
          offset += part.partLength;
        }
      }
    }
    return offset;
  }

  /** Reads what precedes a part, as written by ShuffleHeader, whose fields nobody else can read. */
  private static IndexRecord header(TaskAttemptID output, int reduce, DataInputStream in)
      throws IOException {
    String map = WritableUtils.readStringSafely(in, MOST_ID_CHARACTERS);
    long partLength = WritableUtils.readVLong(in);
    long rawLength = WritableUtils.readVLong(in);
    int forReduce = WritableUtils.readVInt(in);
    if (!map.equals(output.toString()) || forReduce != reduce) {
      throw new IOException(
          "asked for " + output + " for " + reduce + ", got " + map + " for " + forReduce);
    }
    if (partLength < 0 || rawLength < 0) {
      throw new IOException("wrong lengths of " + output + ": " + partLength + ", " + rawLength);
    }
    return new IndexRecord(0, rawLength, partLength);
  }

  /** Passes on a part as it is, and reads it as a reduce does, which checks it. */
  private void copyPart(long length, Passing all) throws IOException {
    if (length > 0) {
      InputStream plain = CryptoUtils.wrapIfNecessary(conf, all, length);
      byte[] buffer = new byte[BUFFER];
      try (InputStream checked =
          new IFileInputStream(plain, length - CryptoUtils.cryptoPadding(conf), conf)) {
        while (checked.read(buffer, 0, buffer.length) >= 0) {
          // it is passed on as it is read
        }
      }
    }
    if (all.passed != length) {
      throw new IOException("got " + all.passed + " of " + length + " bytes");
    }
  }

  /** Writes what is read, no faster than allowed. It leaves the source open. */
  private static final class Passing extends FilterInputStream {
    private final OutputStream out;
    private final Throttle throttle;
    private long passed;

    Passing(InputStream in, OutputStream out, Throttle throttle) {
      super(in);
      this.out = out;
      this.throttle = throttle;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int most) throws IOException {
      int bytes = in.read(into, offset, most);
      if (bytes > 0) {
        out.write(into, offset, bytes);
        passed += bytes;
        throttle.pass(bytes);
      }
      return bytes;
    }

    @Override
    public long skip(long bytes) throws IOException {
      throw new IOException("what is skipped would be missing in the copy");
    }

    @Override
    public boolean markSupported() {
      return false;
    }

    @Override
    public void close() {} // the part is followed by nothing, and the request closes it
  }

  /** Waits after each piece until it would have come at the allowed rate. */
  private static final class Throttle {
    private final double bytesPerSecond;
    private final long begun = System.nanoTime();
    private double bytes;

    Throttle(double bytesPerSecond) {
      this.bytesPerSecond = bytesPerSecond;
    }

    void pass(int more) {
      bytes += more;
      long due = begun + (long) (bytes / bytesPerSecond * 1e9);
      for (long wait = due - System.nanoTime();
          wait > 0 && !Thread.currentThread().isInterrupted();
          wait = due - System.nanoTime()) {
        LockSupport.parkNanos(wait);
      }
    }
  }
}
