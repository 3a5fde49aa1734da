// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumFs;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FsConstants;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.local.LocalConfigKeys;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's local file system, which sets permissions in its own process. With its native library,
 * as on most clusters, Hadoop does so too; without it, as here, it starts a {@code chmod} for each
 * file and directory that it makes: some five hundred for each job of the demo.
 */
public final class LocalFiles extends LocalFileSystem {

  /** As Hadoop makes it. */
  public LocalFiles() {
    super(new Raw());
  }

  private static final class Raw extends RawLocalFileSystem {
    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
      Files.setAttribute(pathToFile(path).toPath(), "unix:mode", (int) permission.toShort());
    }
  }

  /** The same for {@link org.apache.hadoop.fs.FileContext}, which NodeManagers use. */
  public static final class InContext extends ChecksumFs {

    /** As Hadoop makes it. */
    public InContext(URI uri, Configuration conf) throws IOException, URISyntaxException {
      super(new RawInContext(uri, conf));
    }
  }

  /** As {@link org.apache.hadoop.fs.local.RawLocalFs}. */
  private static final class RawInContext extends DelegateToFileSystem {
    private static final int NO_PORT = -1;

    RawInContext(URI uri, Configuration conf) throws IOException, URISyntaxException {
      super(uri, new Raw(), conf, FsConstants.LOCAL_FS_URI.getScheme(), false);
    }

    @Override
    public int getUriDefaultPort() {
      return NO_PORT;
    }

    @Override
    public FsServerDefaults getServerDefaults(Path path) throws IOException {
      return LocalConfigKeys.getServerDefaults();
    }

    @Override
    public boolean isValidName(String src) {
      return true; // whatever the operating system takes
    }
  }
}
