// SPDX-License-Identifier: Apache-2.0

/**
 * What AppMasters and the ResourceManager's scheduler tell each other. {@link
 * io.drover.channel.ChannelClient} is the one's end, {@link io.drover.channel.ChannelService} the
 * other's, {@link io.drover.channel.ReportHandler} the scheduler behind it. An AppMaster calls
 * every few seconds: a {@link io.drover.channel.Report} goes, a {@link
 * io.drover.channel.ClusterState} comes back. All of it is advice: without it, each goes on by what
 * it knows itself.
 *
 * <h2>Why the ResourceManager is safe from its callers</h2>
 *
 * <ul>
 *   <li><em>Who speaks.</em> The server takes AMRMTokens only, whatever the cluster's
 *       authentication, as the ApplicationMasterService does. The attempt is the token's. Whom a
 *       report calls its speaker must be the same: that finds an AppMaster with a token of somebody
 *       else's, such as one of the job that submitted it. A container is named by its number within
 *       the attempt, so nobody can name another's.
 *   <li><em>For how long.</em> RPC looks at the token when a connection is opened, and never again.
 *       So each call asks the scheduler whether the attempt runs. That the token's key has been
 *       rolled meanwhile is no reason to refuse: the connection was opened when it held.
 *   <li><em>What is said.</em> A report is parsed, then made into values whose constructors check
 *       every number, name and size. What passes is well-formed, not true: what it says of a
 *       container is to be weighed against what the scheduler saw of that container. Names hold no
 *       character that means something to a log, a page or JSON.
 *   <li><em>How often.</em> {@link io.drover.channel.RateLimiter} refuses what comes too soon,
 *       before it is looked at; nothing is put aside for later. One call of an attempt is worked on
 *       at a time; a second one does not wait for it but is refused. So one AppMaster, with however
 *       many connections, occupies one of the threads that take reports, and the others only for
 *       reading and refusing. None of them waits for the scheduler: {@code ReportHandler} may not
 *       wait. Who sends what cannot even be read is hung up on ({@link
 *       io.drover.channel.StrictRpcEngine}).
 *   <li><em>How much.</em> A message has a largest size ({@link
 *       io.drover.channel.Report#MAX_BYTES}), and connections, calls that wait for a thread, and
 *       the minutes for which an answer is kept that its caller does not read, a largest number. Of
 *       an attempt a few numbers are remembered, for as long as it runs. RPC sets aside as much for
 *       a message as is announced, before it is known by whom: with the default settings 10,000
 *       strangers can have 2.7 GB, where one has 128 MB at the ResourceManager's other ports. What
 *       remains is Hadoop's too: whoever reaches a port can open connections to it, and an
 *       AppMaster that sends without end and never reads lets answers pile up until it is hung up
 *       on, here after a minute, there after a quarter of an hour. And where {@code
 *       hadoop.rpc.protection} encrypts or signs, RPC sets aside as much as the messages inside
 *       announce, whatever that is: who has a token can make it 2 GB, here and at the scheduler's
 *       port. {@code security.drover.channel.protocol.hosts} and firewalls keep strangers off.
 *   <li><em>What goes wrong.</em> Whatever the scheduler throws becomes an answer without details.
 *       Nonsense that would be logged once for each message is logged once for each attempt.
 *   <li><em>On the way.</em> {@code hadoop.rpc.protection} holds here too: without it, whoever can
 *       change what goes over the network can change reports and answers.
 * </ul>
 *
 * <h2>Why each report is taken once</h2>
 *
 * <p>Reports of an attempt are numbered. The service takes one only if its number is larger than
 * all before, and notes the number <em>before</em> it passes the report on: a report that made the
 * scheduler fail is not tried again. The client keeps a report until it has an answer to it, and
 * says it again as it was, with its number: if only the answer was lost, it is passed over, and
 * answered all the same. Between ResourceManagers there is no such memory: one report may be taken
 * by the old and by the new one, whose statistics are each its own. The new one does not know what
 * job it is, and asks ({@code wants_job}).
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
