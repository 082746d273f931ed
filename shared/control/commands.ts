import type { z } from 'zod';
import { acknowledgeAlert } from './aggregates/alert.js';
import { changeAlertSettings } from './aggregates/alert-settings.js';
import { createApiKey, revokeApiKey, rotateApiKey } from './aggregates/api-key.js';
import { startCheckout, startTrial, syncSubscription } from './aggregates/billing.js';
import { connectSource, disconnectSource } from './aggregates/connection.js';
import {
  cancelCrawl,
  endCrawl,
  postponeCrawl,
  requestCrawl,
  returnCrawl,
  startCrawl,
} from './aggregates/crawl.js';
import { changeCrawlSettings } from './aggregates/crawl-settings.js';
import { eraseOrganisation, eraseUser, eraseWebsite } from './aggregates/erasure.js';
import {
  cancelExport,
  completeExport,
  expireExport,
  failExport,
  requestExport,
  returnExport,
  startExport,
} from './aggregates/export.js';
import { scheduleExport, unscheduleExport } from './aggregates/export-schedule.js';
import { answerIdempotencyKey } from './aggregates/idempotency.js';
import { createIngestKey, revokeIngestKey, rotateIngestKey } from './aggregates/ingest-key.js';
import { createOrganisation, setPlan } from './aggregates/organisation.js';
import { takeReport } from './aggregates/report-quota.js';
import { reopenRecommendation, resolveRecommendation } from './aggregates/resolution.js';
import { addSegmentLibrary, createSegment, deleteSegment, replaceSegment } from './aggregates/segment.js';
import { deleteSiteEvent, recordSiteEvent } from './aggregates/site-event.js';
import { endBotSuppression, suppressBot } from './aggregates/suppression.js';
import { addUser } from './aggregates/user.js';
import { makeWebhookSecret } from './aggregates/webhook-secret.js';
import { createWebsite } from './aggregates/website.js';
import { setWebsitePrivacy } from './aggregates/website-privacy.js';
import { type CommandKind, type DecisionContext, type DecisionResult, refuse } from './command.js';
import { snakeCase } from './snake-case.js';
import type { ControlState } from './state.js';

/** Everything that can be asked of the control plane, by name. */
export const commandKinds = {
  createOrganisation,
  setPlan,
  startTrial,
  startCheckout,
  syncSubscription,
  addUser,
  createWebsite,
  setWebsitePrivacy,
  createApiKey,
  revokeApiKey,
  rotateApiKey,
  createIngestKey,
  revokeIngestKey,
  rotateIngestKey,
  createSegment,
  replaceSegment,
  deleteSegment,
  addSegmentLibrary,
  recordSiteEvent,
  deleteSiteEvent,
  suppressBot,
  endBotSuppression,
  resolveRecommendation,
  reopenRecommendation,
  acknowledgeAlert,
  makeWebhookSecret,
  connectSource,
  disconnectSource,
  changeAlertSettings,
  takeReport,
  requestExport,
  startExport,
  returnExport,
  completeExport,
  failExport,
  cancelExport,
  expireExport,
  scheduleExport,
  unscheduleExport,
  requestCrawl,
  startCrawl,
  returnCrawl,
  postponeCrawl,
  endCrawl,
  cancelCrawl,
  changeCrawlSettings,
  answerIdempotencyKey,
  eraseOrganisation,
  eraseUser,
  eraseWebsite,
} as const;

export type CommandName = keyof typeof commandKinds;

/** `{ type: 'setPlan', organisationId, planId }`: the fields are those of the kind's schema. */
export type Command<Name extends CommandName = CommandName> = {
  [Each in Name]: { readonly type: Each } & z.input<(typeof commandKinds)[Each]['schema']>;
}[Name];

export type AnswerTo<Name extends CommandName> =
  (typeof commandKinds)[Name] extends CommandKind<z.ZodType, infer Answer> ? Answer : never;

/** Checks the command's shape and decides it on this state. Pure. */
export function decide<Name extends CommandName>(
  state: ControlState,
  command: Command<Name>,
  context: DecisionContext,
): DecisionResult<AnswerTo<Name>> {
  const { type, ...fields } = command;
  // The registry ties name, fields and answer together; the compiler can't follow a generic key through it.
  const kind = commandKinds[type as Name] as unknown as CommandKind<z.ZodType, AnswerTo<Name>> | undefined;
  if (kind === undefined || !Object.hasOwn(commandKinds, type))
    return refuse('invalid_request', `type: there is no command "${type}"`);
  const input = kind.schema.safeParse(fields);
  if (!input.success) return refuse('invalid_request', describe(input.error));
  return kind.decide(state, input.data, context);
}

function describe(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${snakeCase(path.join('.'))}: ${message}`))
    .join('; ');
}
