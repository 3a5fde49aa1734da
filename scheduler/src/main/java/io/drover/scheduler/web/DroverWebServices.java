// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.web;

import io.drover.core.predict.FailurePredictor.Judgement;
import io.drover.scheduler.DroverCapacityScheduler;
import io.drover.scheduler.clone.CloneEvent;
import io.drover.scheduler.quarantine.NodeQuarantine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import javax.inject.Inject;
import javax.inject.Singleton;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.JettyUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.YarnAuthorizationProvider;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RMWSConsts;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RMWebServices;
import org.apache.hadoop.yarn.webapp.BadRequestException;
import org.apache.hadoop.yarn.webapp.NotFoundException;

/**
 * The ResourceManager's web services with four more: {@code GET /ws/v1/cluster/drover} returns the
 * scheduler's status, and {@code GET /ws/v1/cluster/drover/page} a page that shows it. {@code PUT}
 * and {@code DELETE /ws/v1/cluster/drover/quarantine/MACHINE} begin and end the quarantine of a
 * machine. The property {@code yarn.webapp.custom.webservice.class} switches them on. A standby
 * redirects callers to the active ResourceManager, or says that it knows none, before a call gets
 * here.
 */
@Singleton
@Path(RMWSConsts.RM_WEB_SERVICE_PATH)
public class DroverWebServices extends RMWebServices {
  private static final String NOT_OURS = "The scheduler is not Drover's.";

  private final ResourceManager rm;

  /**
   * Creates the web services. The web server calls this. The arguments are injected by their types,
   * without the names that Hadoop 3.5 gives them: the ResourceManager of Hadoop 3.4 knows no names,
   * and would end at its start.
   */
  @Inject
  public DroverWebServices(ResourceManager rm, Configuration conf) {
    super(rm, conf);
    this.rm = rm;
  }

  /**
   * Returns the status of Drover's scheduler. Of the killed clones, and of the applications that
   * are called failing, it contains those that the caller may see. Where lists are filtered by
   * user, only administrators see the names of other users.
   *
   * @param machines how many machines to return, the worst first; null for all
   */
  @GET
  @Path("/drover")
  @Produces(MediaType.APPLICATION_JSON + "; " + JettyUtils.UTF_8)
  public String drover(
      @Context HttpServletRequest request, @QueryParam("machines") String machines) {
    DroverCapacityScheduler scheduler = ours();
    List<CloneEvent> killed = visible(scheduler.clones().killedLately(), request);
    List<Judgement> failing =
        scheduler.prediction().status().failing().stream()
            .filter(called -> isVisible(called.job().id(), request))
            .toList();
    return SchedulerStatus.of(scheduler, killed, failing, visibleUsers(request), number(machines));
  }

  /**
   * Quarantines a machine. Only administrators may.
   *
   * @param machine its name
   * @param seconds how long; null for as long as the first quarantine of a machine lasts
   * @param reason for people, or null
   * @return the machines in quarantine then
   */
  @PUT
  @Path("/drover/quarantine/{machine}")
  @Produces(MediaType.APPLICATION_JSON + "; " + JettyUtils.UTF_8)
  public String quarantine(
      @Context HttpServletRequest request,
      @PathParam("machine") String machine,
      @QueryParam("seconds") String seconds,
      @QueryParam("reason") String reason) {
    NodeQuarantine quarantine = ours().statistics().quarantine();
    new QuarantineOrders(quarantine, rm.getConfig()).add(request, machine, seconds, reason);
    return SchedulerStatus.quarantine(quarantine).toString();
  }

  /**
   * Ends the quarantine of a machine. Only administrators may.
   *
   * @param machine its name
   * @return the machines in quarantine then
   */
  @DELETE
  @Path("/drover/quarantine/{machine}")
  @Produces(MediaType.APPLICATION_JSON + "; " + JettyUtils.UTF_8)
  public String lift(@Context HttpServletRequest request, @PathParam("machine") String machine) {
    NodeQuarantine quarantine = ours().statistics().quarantine();
    new QuarantineOrders(quarantine, rm.getConfig()).lift(request, machine);
    return SchedulerStatus.quarantine(quarantine).toString();
  }

  /** Returns a page that shows the status of {@link #drover} and refreshes it. */
  @GET
  @Path("/drover/page")
  @Produces(MediaType.TEXT_HTML + "; " + JettyUtils.UTF_8)
  public Response page() {
    if (scheduler().isEmpty()) {
      // Hadoop cannot write its exceptions as HTML.
      return Response.status(Response.Status.NOT_FOUND)
          .type(MediaType.TEXT_PLAIN_TYPE)
          .entity(NOT_OURS)
          .build();
    }
    DroverPage page = DroverPage.OF_THE_SCHEDULER;
    return Response.ok(page.html())
        .header("Content-Security-Policy", page.policy())
        .header("X-Content-Type-Options", "nosniff")
        .build();
  }

  private DroverCapacityScheduler ours() {
    return scheduler().orElseThrow(() -> new NotFoundException(NOT_OURS));
  }

  private Optional<DroverCapacityScheduler> scheduler() {
    return rm.getResourceScheduler() instanceof DroverCapacityScheduler ours
        ? Optional.of(ours)
        : Optional.empty();
  }

  private static int number(String machines) {
    if (machines == null) {
      return Integer.MAX_VALUE;
    }
    if (!machines.matches("\\d{1,9}")) {
      throw new BadRequestException("machines must be a whole number of at most nine digits");
    }
    return Integer.parseInt(machines);
  }

  private List<CloneEvent> visible(List<CloneEvent> events, HttpServletRequest request) {
    return events.stream().filter(event -> isVisible(event.application(), request)).toList();
  }

  private Predicate<String> visibleUsers(HttpServletRequest request) {
    boolean isFiltered =
        rm.getConfig().getBoolean(YarnConfiguration.FILTER_ENTITY_LIST_BY_USER, false);
    String caller = request.getRemoteUser();
    if (!isFiltered) {
      return user -> true;
    }
    if (caller == null) {
      return user -> false;
    }
    UserGroupInformation known = UserGroupInformation.createRemoteUser(caller);
    boolean isAdmin = YarnAuthorizationProvider.getInstance(rm.getConfig()).isAdmin(known);
    return user -> isAdmin || user.equals(known.getShortUserName());
  }

  private boolean isVisible(String application, HttpServletRequest request) {
    RMApp app = rm.getRMContext().getRMApps().get(ApplicationId.fromString(application));
    return app != null && hasAccess(app, request);
  }

  /**
   * The page that shows the {@link SchedulerStatus}: one file that contains its style and script.
   *
   * @param html the content of the page
   * @param policy the Content-Security-Policy. It allows this style and this script by their
   *     hashes, requests to the page's own server, images in data URLs, and nothing else
   */
  record DroverPage(String html, String policy) {
    static final DroverPage OF_THE_SCHEDULER = assembled();

    private static DroverPage assembled() {
      String style = resource("page.css");
      String script = resource("page.js");
      String html = resource("page.html").replace("{{style}}", style).replace("{{script}}", script);
      String policy =
          String.join(
              "; ",
              "default-src 'none'",
              "style-src " + hash(style),
              "script-src " + hash(script),
              "connect-src 'self'",
              "img-src data:",
              "base-uri 'none'",
              "form-action 'none'",
              "frame-ancestors 'self'");
      return new DroverPage(html, policy);
    }

    private static String resource(String name) {
      try (InputStream in = DroverPage.class.getResourceAsStream(name)) {
        if (in == null) {
          throw new IllegalStateException(name + " is missing from Drover's jar");
        }
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static String hash(String text) {
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] hash = digest.digest(text.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JDK has SHA-256", e);
      }
    }
  }
}
