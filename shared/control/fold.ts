import { alertAcknowledged } from './aggregates/alert.js';
import { alertSettingsChanged } from './aggregates/alert-settings.js';
import { apiKeyCreated, apiKeyRevoked } from './aggregates/api-key.js';
import { checkoutStarted, customerLinked, subscriptionChanged, trialStarted } from './aggregates/billing.js';
import { connectionMade, connectionRemoved } from './aggregates/connection.js';
import {
  crawlEnded,
  crawlPostponed,
  crawlRequested,
  crawlReturned,
  crawlStarted,
} from './aggregates/crawl-events.js';
import { crawlSettingsChanged } from './aggregates/crawl-settings.js';
import { crawlUploaded, uploadAnnounced } from './aggregates/crawl-upload.js';
import { organisationErased, userErased, websiteErased } from './aggregates/erasure.js';
import {
  exportCancelled,
  exportCompleted,
  exportExpired,
  exportFailed,
  exportRequested,
  exportReturned,
  exportStarted,
} from './aggregates/export-events.js';
import { exportScheduleRemoved, exportScheduleSet } from './aggregates/export-schedule.js';
import { idempotencyKeyAnswered, idempotencyKeyClaimed } from './aggregates/idempotency.js';
import { ingestKeyCreated, ingestKeyRevoked } from './aggregates/ingest-key.js';
import { organisationCreated, planChanged } from './aggregates/organisation.js';
import { reportTaken } from './aggregates/report-quota.js';
import { recommendationReopened, recommendationResolved } from './aggregates/resolution.js';
import { segmentDeleted, segmentReplaced, segmentsAdded } from './aggregates/segment.js';
import { siteEventDeleted, siteEventRecorded } from './aggregates/site-event.js';
import { botSuppressed, botSuppressionEnded } from './aggregates/suppression.js';
import { nameClaimed } from './aggregates/unique-name.js';
import { userAdded } from './aggregates/user.js';
import { webhookSecretMade } from './aggregates/webhook-secret.js';
import { websiteAdded } from './aggregates/website.js';
import { websitePrivacyChanged } from './aggregates/website-privacy.js';
import { type ControlEvent, type Decision, type EventKind, NO_VERSION } from './event.js';
import { aggregateKey, type ControlState, versionOf, type WritableState, wasErased } from './state.js';

/** Every kind of event that may stand in the log. A kind is never taken off this list. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of different data share a list; each parses its own
export const eventKinds: readonly EventKind<any>[] = [
  organisationCreated,
  planChanged,
  userAdded,
  websiteAdded,
  websitePrivacyChanged,
  apiKeyCreated,
  apiKeyRevoked,
  ingestKeyCreated,
  ingestKeyRevoked,
  nameClaimed,
  trialStarted,
  customerLinked,
  checkoutStarted,
  subscriptionChanged,
  segmentsAdded,
  segmentReplaced,
  segmentDeleted,
  siteEventRecorded,
  siteEventDeleted,
  botSuppressed,
  botSuppressionEnded,
  recommendationResolved,
  recommendationReopened,
  alertAcknowledged,
  webhookSecretMade,
  connectionMade,
  connectionRemoved,
  alertSettingsChanged,
  reportTaken,
  exportRequested,
  exportStarted,
  exportReturned,
  exportFailed,
  exportCompleted,
  exportCancelled,
  exportExpired,
  exportScheduleSet,
  exportScheduleRemoved,
  crawlRequested,
  uploadAnnounced,
  crawlUploaded,
  crawlStarted,
  crawlReturned,
  crawlPostponed,
  crawlEnded,
  crawlSettingsChanged,
  idempotencyKeyClaimed,
  idempotencyKeyAnswered,
  organisationErased,
  websiteErased,
  userErased,
];

const kindByType = new Map(eventKinds.map((kind) => [kind.type, kind]));

/**
 * Folds one decision into the state, whole or not at all. It is ignored where one of its events was decided
 * on a version that has passed (another writer was first, or the record was delivered twice), or concerns what was erased. The state is
 * changed in place: a fold of a million events may not copy a map for each.
 * @returns whether it holds.
 * @throws ZodError where a known event's data can't be read; the state is untouched.
 */
export function evolve(state: WritableState, decision: Decision): boolean {
  if (!decision.events.every((event) => isCurrent(state, event))) return false;
  if (decision.events.some((event) => concernsErased(state, event))) return false;
  const changes = decision.events.map((event) => readChange(event));
  for (const [index, event] of decision.events.entries()) {
    changes[index]?.(state, decision.at);
    if (event.version === NO_VERSION) continue;
    state.versions.set(aggregateKey(event.aggregate, event.aggregateId), event.version);
  }
  return true;
}

function isCurrent(state: ControlState, event: ControlEvent): boolean {
  return (
    event.version === NO_VERSION || event.version === versionOf(state, event.aggregate, event.aggregateId) + 1
  );
}

/** Their id is that of the website. */
const OF_A_WEBSITE: ReadonlySet<string> = new Set(['segment_list', 'export_list', 'crawl_list']);

/** Decided by somebody who had not seen yet that it is gone: it must not come back, not in part and not as a name that is taken. */
function concernsErased(state: ControlState, { aggregate, aggregateId, data }: ControlEvent): boolean {
  const { organisationId, websiteId, userId } = (data ?? {}) as Readonly<Record<string, unknown>>;
  const gone = (kind: Parameters<typeof wasErased>[1], id: unknown) =>
    typeof id === 'string' && wasErased(state, kind, id);
  if (gone('organisation', organisationId) || gone('website', websiteId) || gone('user', userId)) return true;
  if (OF_A_WEBSITE.has(aggregate)) return gone('website', aggregateId);
  if (aggregate === 'checkout') return gone('organisation', aggregateId);
  return aggregate === 'report_quota' && gone('organisation', aggregateId.split('/')[0]);
}

/**
 * A kind that only a newer release knows counts as a version and changes nothing, so that releases can
 * overlap while they are rolled out.
 */
function readChange(event: ControlEvent): ((state: WritableState, at: string) => void) | null {
  const kind = kindByType.get(event.type);
  if (kind === undefined) return null;
  const data = kind.schema.parse(event.data);
  return (state, at) => kind.evolve(state, event.aggregateId, data, at);
}
