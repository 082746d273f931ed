import * as alert from '../aggregates/alert.js';
import * as alertSettings from '../aggregates/alert-settings.js';
import * as apiKey from '../aggregates/api-key.js';
import * as billing from '../aggregates/billing.js';
import * as clientConnection from '../aggregates/client-connection.js';
import * as connection from '../aggregates/connection.js';
import * as consoleSession from '../aggregates/console-session.js';
import * as erasure from '../aggregates/erasure.js';
import * as idempotency from '../aggregates/idempotency.js';
import * as ingestKey from '../aggregates/ingest-key.js';
import * as organisation from '../aggregates/organisation.js';
import * as resolution from '../aggregates/resolution.js';
import * as segment from '../aggregates/segment.js';
import * as siteEvent from '../aggregates/site-event.js';
import * as suppression from '../aggregates/suppression.js';
import * as uniqueName from '../aggregates/unique-name.js';
import * as user from '../aggregates/user.js';
import * as webhookSecret from '../aggregates/webhook-secret.js';
import * as website from '../aggregates/website.js';
import * as websitePrivacy from '../aggregates/website-privacy.js';
import * as crawl from '../crawls/crawl.js';
import * as crawlEvents from '../crawls/crawl-events.js';
import * as crawlSettings from '../crawls/crawl-settings.js';
import * as crawlUpload from '../crawls/crawl-upload.js';
import type { CommandKind } from '../domain/command.js';
import type { EventKind } from '../domain/event.js';
import * as exportJob from '../exports/export.js';
import * as exportEvents from '../exports/export-events.js';
import * as exportSchedule from '../exports/export-schedule.js';
import * as reportQuota from '../exports/report-quota.js';

/** All exports of the aggregates. Commands and events are collected from them, so that none can be missed. */
const aggregates = {
  ...alert,
  ...alertSettings,
  ...apiKey,
  ...billing,
  ...clientConnection,
  ...connection,
  ...consoleSession,
  ...crawl,
  ...crawlEvents,
  ...crawlSettings,
  ...crawlUpload,
  ...erasure,
  ...exportJob,
  ...exportEvents,
  ...exportSchedule,
  ...idempotency,
  ...ingestKey,
  ...organisation,
  ...reportQuota,
  ...resolution,
  ...segment,
  ...siteEvent,
  ...suppression,
  ...uniqueName,
  ...user,
  ...webhookSecret,
  ...website,
  ...websitePrivacy,
};

type CommandKinds = {
  // biome-ignore lint/suspicious/noExplicitAny: kinds of any input and answer
  [Name in keyof typeof aggregates as (typeof aggregates)[Name] extends CommandKind<any, any>
    ? Name
    : never]: (typeof aggregates)[Name];
};

const has = (value: unknown, method: string) =>
  typeof value === 'object' && value !== null && method in value;

/** All commands of the control plane, by name. */
export const commandKinds = Object.fromEntries(
  Object.entries(aggregates).filter(([, value]) => has(value, 'decide')),
) as CommandKinds;

/** All kinds of events in the log. */
export const eventKinds = Object.values(aggregates).filter(
  (value) => has(value, 'evolve'),
  // biome-ignore lint/suspicious/noExplicitAny: kinds of different data share a list; each parses its own
) as readonly EventKind<any>[];
