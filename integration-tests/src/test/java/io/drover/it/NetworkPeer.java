// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;

/** A process on a host of {@link NamespaceNetworkIT}. */
public final class NetworkPeer {
  private static final int CONNECT_MILLIS = 10_000;

  private NetworkPeer() {}

  /** Does what the first argument says, and prints the result. */
  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "name" -> System.out.println(InetAddress.getLocalHost().getHostName());
      case "serve" -> serve(Integer.parseInt(arguments[1]));
      case "send" ->
          send(arguments[1], Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
      case "work" -> work(Long.parseLong(arguments[1]));
      default -> throw new IllegalArgumentException(Arrays.toString(arguments));
    }
  }

  /** Counts what each client sends, and tells it. */
  private static void serve(int port) throws IOException {
    try (ServerSocket server = new ServerSocket(port)) {
      System.out.println("ready");
      while (true) {
        try (Socket client = server.accept();
            InputStream in = client.getInputStream()) {
          in.transferTo(OutputStream.nullOutputStream());
          client.getOutputStream().write(1);
        }
      }
    }
  }

  /** Sends bytes, and prints in how many milliseconds they have arrived. */
  private static void send(String host, int port, int bytes) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
      long begin = System.nanoTime();
      socket.getOutputStream().write(new byte[bytes]);
      socket.shutdownOutput();
      socket.getInputStream().read();
      System.out.println((System.nanoTime() - begin) / 1_000_000);
    }
  }

  private static long cpuMillis() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
  }

  /** Computes for so many milliseconds, and prints how much of a processor it had. */
  private static void work(long millis) {
    long begin = System.nanoTime();
    long before = cpuMillis();
    double sink = 0;
    while (System.nanoTime() - begin < millis * 1_000_000) {
      sink += Math.sin(sink + 1);
    }
    System.out.println(
        1e6 * (cpuMillis() - before) / (System.nanoTime() - begin) + (sink > 1e300 ? " " : ""));
  }
}
