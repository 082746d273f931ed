import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import type { Website, WebsitePrivacy } from '../../../shared/control/domain/model.js';
import { EXPORT_KEPT_MS } from '../../../shared/control/exports/export.js';
import { DAY_MS } from '../../../shared/durations.js';
import { PublicError } from '../../../shared/errors.js';
import { type TopicName, topics } from '../../../shared/event-log/topics.js';
import { MOST_PASSES, PAUSE_MS, type StoredData } from '../erasure/stored-data.js';
import { countOtherDays, keepAddressesFor } from '../rows/keep-addresses.js';

/** New privacy settings of a website; absent settings stay. */
export const wantedPrivacy = z
  .strictObject({
    websiteId: z.string(),
    addressDays: z.int().nullable().optional(),
    botsOnly: z.boolean().optional(),
  })
  .refine(({ addressDays, botsOnly }) => addressDays !== undefined || botsOnly !== undefined, {
    message: 'nothing is to be set',
  });
type WantedPrivacy = z.infer<typeof wantedPrivacy>;

export interface PrivacyReport {
  readonly websiteId: string;
  readonly privacy: WebsitePrivacy;
  /** Stored requests whose address has another last day now. */
  readonly rows: number;
  /** Stored requests that lost their address now. */
  readonly cleared: number;
  /** Every stored request follows the setting. False: repeat the command. */
  readonly complete: boolean;
  /** Copies of addresses outside the tables of requests; empty if addresses are kept as long as the requests. */
  readonly remains: readonly AddressCopy[];
}

export interface AddressCopy {
  readonly place: string;
  /** Most days of the copy; null: until a user deletes it. */
  readonly days: number | null;
  readonly what: string;
}

/**
 * Changes the settings and applies them to stored requests. The enricher applies them to new requests.
 * @throws PublicError `not_found`, `invalid_request`, and errors of withInsertsHeld. StoreUnavailableError: repeat it.
 */
export type SetPrivacy = (wanted: WantedPrivacy) => Promise<PrivacyReport>;

export function createSetPrivacy(options: Omit<StoredData, 'log' | 'now'>): SetPrivacy {
  const { clickhouse, withInsertsHeld, pauseMs = PAUSE_MS } = options;

  async function follow(websiteId: string, days: number): Promise<{ rows: number; cleared: number }> {
    return withInsertsHeld(() => keepAddressesFor(clickhouse, { websiteId, days }, options));
  }

  return async (wanted) => {
    const { websiteId } = wanted;
    if (wanted.addressDays === undefined) {
      const { privacy } = await execute(options.control, wanted);
      return { websiteId, privacy, rows: 0, cleared: 0, complete: true, remains: [] };
    }
    // `withInsertsHeld` refuses while enrichers run, so nothing is set before they are stopped.
    const { privacy } = await withInsertsHeld(() => execute(options.control, wanted));
    const days = privacy.addressDays ?? 0;
    let rows = 0;
    let cleared = 0;
    let complete = false;
    for (let pass = 1; pass <= MOST_PASSES && !complete; pass++) {
      const done = await follow(websiteId, days);
      rows += done.rows;
      cleared += done.cleared;
      await sleep(pauseMs);
      complete = (await countOtherDays(clickhouse, websiteId, days)) === 0;
    }
    return { websiteId, privacy, rows, cleared, complete, remains: days === 0 ? [] : copies };
  };
}

async function execute(control: ControlPlane, wanted: WantedPrivacy): Promise<Website> {
  const outcome = await control.execute({ type: 'setWebsitePrivacy', ...wanted }, 'admin');
  if ('refusal' in outcome) throw new PublicError(outcome.refusal.code, outcome.refusal.detail);
  return outcome.answer;
}

const ofTopic = (topic: TopicName, what: string): AddressCopy => ({
  place: topic,
  days: Math.ceil((topics[topic].retentionMs ?? 0) / DAY_MS),
  what,
});

/** Days of tables: the TTLs of the schema (alerts.sql); docs/privacy.md lists them, too. */
const copies: readonly AddressCopy[] = [
  ofTopic('requests.raw', 'the uploads'),
  ofTopic('requests.dead', 'uploads that could not be stored'),
  ofTopic('alerts', 'addresses that alerts name'),
  { place: 'alerts', days: 400, what: 'addresses that alerts name, from their last occurrence' },
  {
    place: 'detector_states',
    days: 60,
    what: 'addresses of open alerts and recent findings, from the last save',
  },
  {
    place: 'files of exports',
    days: EXPORT_KEPT_MS / DAY_MS,
    what: 'addresses that were exported before',
  },
  {
    place: 'stored days',
    days: null,
    what: 'requests of days that were stored more than a week before this change',
  },
];
