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
 *   <li><em>Who sends.</em> The server accepts AMRMTokens only, whatever the cluster's
 *       authentication, as the ApplicationMasterService does. The token names the attempt. A report
 *       must name the same attempt as its sender; that detects an AppMaster that holds the token of
 *       another one, of the job that submitted it for example. A report names a container by its
 *       number within the attempt, so it cannot name a container of another attempt.
 *   <li><em>For how long.</em> RPC checks the token when a connection is opened, and never again.
 *       So each call asks the scheduler whether the attempt runs. A token whose key has been rolled
 *       since then is not refused: it was valid when the connection was opened.
 *   <li><em>What it sends.</em> A report is parsed and turned into values whose constructors check
 *       every number, name and size. A report that passes is well-formed, but not necessarily true:
 *       the scheduler weighs what it says of a container against what it saw of that container.
 *       Names contain no character with a meaning in logs, pages or JSON.
 *   <li><em>How often.</em> {@link io.drover.channel.RateLimiter} refuses a report that comes too
 *       soon before it is parsed; nothing is queued. The server works on one call of an attempt at
 *       a time and refuses a second one at once. So one AppMaster, however many connections it has,
 *       occupies one of the threads that take reports. No thread waits for the scheduler: {@code
 *       ReportHandler} must not wait. The server closes a connection if it cannot read a message
 *       ({@link io.drover.channel.StrictRpcEngine}).
 *   <li><em>How much.</em> There are limits to the size of a message ({@link
 *       io.drover.channel.Report#MAX_BYTES}), to the connections, to the calls that wait for a
 *       thread, and to the minutes for which the server keeps an answer that its caller does not
 *       read. The server remembers a few numbers of each attempt while it runs. RPC allocates as
 *       much memory for a message as its sender announces, before it knows the sender: with the
 *       default settings, 10,000 strangers can make it allocate 2.7 GB here, and one stranger 128
 *       MB at the ResourceManager's other ports. Two weaknesses are Hadoop's own. Anybody who
 *       reaches a port can open connections to it. And the answers to an AppMaster that sends
 *       without end and never reads pile up until its connection is closed: here after a minute,
 *       there after a quarter of an hour. Where {@code hadoop.rpc.protection} encrypts or signs,
 *       RPC allocates as much as the messages inside announce: the owner of a token can make that 2
 *       GB, here and at the scheduler's port. {@code security.drover.channel.protocol.hosts} and
 *       firewalls keep strangers out.
 *   <li><em>Errors.</em> If the scheduler throws, the caller gets an answer without details. An
 *       error that would be logged for each message is logged once for each attempt.
 *   <li><em>The network.</em> {@code hadoop.rpc.protection} applies here, too. Without it, an
 *       attacker who can change packets can change reports and answers.
 * </ul>
 *
 * <h2>Why each report is taken once</h2>
 *
 * <p>The reports of an attempt are numbered. The service takes a report only if its number is
 * larger than all before, and stores the number <em>before</em> it passes the report on: a report
 * that made the scheduler fail is not tried again. The client keeps a report until it has an
 * answer, and sends it again unchanged, with its number. If only the answer was lost, the service
 * ignores the report and answers all the same. ResourceManagers do not share this memory: the old
 * and the new one may both take a report, each for its own statistics. The new one does not know
 * the job and asks for it ({@code wants_job}).
 *
 * <h2>Why a job is safe from the ResourceManager</h2>
 *
 * <p>Everything that may take time happens on one daemon thread ({@link
 * io.drover.channel.ReportLoop}), with a limit for each step of a call. The AppMaster's threads put
 * values into the {@link io.drover.channel.Outbox}, which is bounded and whose lock is held for a
 * copy of a few hundred references at most, and read a value that does not change. Answers are
 * checked as reports are, and forgotten when they are old. DIGEST authentication is mutual: who
 * answers has the key. In a cluster that does not authenticate at all, anybody in the network could
 * answer, as for the ResourceManager itself.
 *
 * <h2>Threads</h2>
 *
 * <p>In the ResourceManager: the handlers of the RPC server. A {@link
 * io.drover.channel.ReportReceiver.Session} belongs to the one that has set its flag, and the flag
 * hands its fields on from one to the next; sessions are made under their map's lock for a key, so
 * an attempt has one. A session that is removed because its attempt is over, while a last call of
 * the attempt is under way, ends with that call. In the AppMaster: the channel's thread owns the
 * report loop and the transports; {@code Outbox} is locked; what was heard is one volatile
 * reference.
 */
package io.drover.channel;
