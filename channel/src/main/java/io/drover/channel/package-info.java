// SPDX-License-Identifier: Apache-2.0

/**
 * The channel between AppMasters and the ResourceManager's scheduler. {@link
 * io.drover.channel.ChannelClient} is the AppMaster's end and {@link
 * io.drover.channel.ChannelService} the ResourceManager's; {@link io.drover.channel.ReportHandler}
 * is the scheduler behind it. Every few seconds an AppMaster sends a {@link
 * io.drover.channel.Report} and gets a {@link io.drover.channel.ClusterState}. Both are advice:
 * without them, each side goes on with what it knows itself.
 *
 * <h2>Why the ResourceManager is safe from its callers</h2>
 *
 * <ul>
 *   <li><em>Who sends.</em> The server accepts only AMRMTokens, regardless of the cluster's
 *       authentication. ApplicationMasterService does the same. The token names the attempt, and
 *       the report must name the same one. This detects an AppMaster that holds another one's
 *       token, for example that of the job that submitted it. A report names a container by its
 *       number within the attempt, so it cannot name a container of another attempt.
 *   <li><em>For how long.</em> RPC checks the token when a connection is opened, and never again.
 *       So each call asks the scheduler whether the attempt is running. A token whose key has been
 *       rolled since then is not refused: it was valid when the connection was opened.
 *   <li><em>What it sends.</em> A report is parsed and turned into values whose constructors check
 *       every number, name and size. A report that passes is well-formed, but not necessarily true:
 *       of what it says about a machine, the scheduler counts no more attempts than containers of
 *       the application that it saw end there ({@link io.drover.core.machine.ClaimLedger}). Names
 *       cannot contain characters that have a meaning in logs, pages or JSON.
 *   <li><em>How often.</em> If a report comes too soon, {@link io.drover.channel.RateLimiter}
 *       refuses it before it is parsed; nothing is queued. The server works on one call of an
 *       attempt at a time and refuses a second one at once. So one AppMaster occupies one of the
 *       threads that take reports, however many connections it has. No thread waits for the
 *       scheduler, because {@code ReportHandler} must not wait. The server closes a connection if
 *       it cannot read a message ({@link io.drover.channel.StrictRpcEngine}).
 *   <li><em>How much.</em> There are limits to the size of a message ({@link
 *       io.drover.channel.Report#MAX_BYTES}), to the connections, to the calls that wait for a
 *       thread, and to the minutes for which the server keeps an answer that its caller does not
 *       read. The server remembers a few numbers for each running attempt. RPC allocates as much
 *       memory for a message as its sender announces, before it knows the sender: with the default
 *       settings, 10,000 strangers can make it allocate 2.7 GB here, and one stranger 128 MB at the
 *       ResourceManager's other ports. Two weaknesses are Hadoop's own. Anybody who reaches a port
 *       can open connections to it. And if an AppMaster keeps sending and never reads, its answers
 *       pile up until its connection is closed: here after a minute, at the other ports after a
 *       quarter of an hour. If {@code hadoop.rpc.protection} encrypts or signs, RPC allocates as
 *       much as the messages inside announce: the owner of a token can make it allocate 2 GB, here
 *       and at the scheduler's port. {@code security.drover.channel.protocol.hosts} and firewalls
 *       keep strangers out.
 *   <li><em>Errors.</em> If the scheduler throws, the caller gets an answer without details. Only
 *       the first such failure is logged above debug level, and an attempt's first malformed
 *       report.
 *   <li><em>The network.</em> {@code hadoop.rpc.protection} applies here, too. Without it, an
 *       attacker who can change packets can change reports and answers.
 * </ul>
 *
 * <h2>Why each report is taken once</h2>
 *
 * <p>The reports of an attempt are numbered. The service takes a report only if its number is
 * larger than every earlier one. It stores the number <em>before</em> it passes the report on, so a
 * report that made the scheduler fail is not tried again. The client keeps a report until it has an
 * answer, and sends it again unchanged, with the same number. If only the answer was lost, the
 * service ignores the repeated report but still answers. ResourceManagers do not share these
 * numbers: the old and the new one may both take a report, each for its own statistics. The new one
 * does not know the job and asks for it ({@code wants_job}).
 *
 * <p>What Drover's actions have come to is different: each report says the sums since the attempt
 * of the application began. So it does not matter which reports arrive, and the scheduler adds the
 * differences up. An AppMaster that takes the job over is another attempt of the application with
 * sums of its own, which begin at zero: it counts only actions of its own. A ResourceManager that
 * takes over has not seen the reports before; it knows by the number of the first one that arrives
 * that there were some, and counts from there on.
 *
 * <h2>Why a job is safe from the ResourceManager</h2>
 *
 * <p>Everything that may take time happens on one daemon thread ({@link
 * io.drover.channel.ReportLoop}), with a time limit for each step of a call. The AppMaster's other
 * threads put values into the {@link io.drover.channel.Outbox} and read an immutable state. The
 * outbox is bounded, and its lock is held while at most a few hundred references are copied.
 * Answers are checked like reports, and forgotten when they are old. DIGEST authentication is
 * mutual: the server proves that it has the key. In a cluster without authentication, anybody on
 * the network could answer, as is the case for the ResourceManager itself.
 *
 * <h2>Threads</h2>
 *
 * <p>In the ResourceManager, the handler threads of the RPC server process reports. A {@link
 * io.drover.channel.ReportReceiver.Session} belongs to the handler that has set its flag, and the
 * flag publishes its fields to the next handler. The map creates sessions atomically, so an attempt
 * has one. If a session is removed while the last call of its attempt is in progress, it ends with
 * that call. In the AppMaster, the channel's thread owns the report loop and the transports. The
 * {@code Outbox} has a lock, and the latest state is one volatile reference.
 */
package io.drover.channel;
