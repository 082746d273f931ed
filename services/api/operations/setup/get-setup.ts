import { z } from '@hono/zod-openapi';
import { platforms, type Website } from '../../../../shared/control/model.js';
import type { Plan } from '../../../../shared/control/plans.js';
import { isReceiving, readReceipts } from '../../../../shared/queries/setup.js';
import type { PublicUrls } from '../../../../shared/service/public-urls.js';
import { nextHourOf } from '../../../../shared/usage/clock-hour.js';
import type { UsageCounter } from '../../../../shared/usage/usage-counter.js';
import { websiteRead } from '../../operation.js';
import { guideUrl } from '../../public-urls.js';
import { setupGuide } from '../../setup-guide.js';

const states = ['waiting', 'receiving', 'stale'] as const;
type State = (typeof states)[number];

function allowance(what: string) {
  return z.object({
    limit: z.int().openapi({ description: `${what} an hour.` }),
    used: z.int().openapi({ description: 'Since the hour began, by every replica as far as known here.' }),
    remaining: z.int(),
  });
}

export const getSetup = websiteRead({
  id: 'getSetup',
  tag: 'Setup',
  path: '/setup',
  summary: 'Whether logs arrive',
  description:
    'How far the setup of a website is, and what to do next. `state`: waiting (nothing ever came), receiving (something came within 24 hours), stale (nothing for longer). The ingest key is never shown.',
  query: z.object({}),
  answer: z.object({
    website_id: z.string(),
    domain: z.string(),
    source_type: z.enum(platforms),
    ingest: z.object({ url: z.url(), header: z.literal('X-API-Key') }),
    logs: z.object({
      state: z.enum(states),
      ever_received: z.boolean(),
      last_received_date: z.iso.date().nullable().openapi({ description: 'UTC; null: never.' }),
      records_last_30d: z.int().openapi({
        description: 'Requests received on the last 30 UTC days, today included.',
      }),
    }),
    quota: z
      .object({
        rows: allowance('Requests'),
        bytes: allowance('Bytes of uploads after decompression, in whole KiB of each upload,'),
        reset_at: z.iso.datetime().openapi({ description: 'When the next clock hour (UTC) begins.' }),
      })
      .openapi({
        description:
          'What the website may send in this clock hour by the plan, and what of it is used. Beyond it ingest answers 503 with Retry-After; an upload that has begun is still taken.',
      }),
    receiving: z.boolean(),
    next_steps: z.array(z.string()),
    guide_url: z.url(),
    checked_at: z.iso.datetime(),
  }),
  async run(_input, { website, caller, now, services }) {
    const { requestsLast30Days, lastReceived } = await readReceipts(services.reader, {
      websiteId: website.id,
      now,
    });
    const state = stateOf(lastReceived, now);
    return {
      website_id: website.id,
      domain: website.domain,
      source_type: website.sourceType,
      ingest: { url: services.urls.ingest, header: 'X-API-Key' as const },
      logs: {
        state,
        ever_received: lastReceived !== null,
        last_received_date: lastReceived === null ? null : utcDate(lastReceived),
        records_last_30d: requestsLast30Days,
      },
      quota: quotaOf(website, services.control.plan(caller.organisation), services.usage, now),
      receiving: state === 'receiving',
      next_steps: [...nextSteps(state, website, lastReceived, services.urls), ...keptOf(website)],
      guide_url: guideUrl(services.urls, website.sourceType),
      checked_at: new Date(now).toISOString(),
    };
  },
});

function quotaOf(
  { id }: Website,
  { rowsPerHour, bytesPerHour }: Pick<Plan, 'rowsPerHour' | 'bytesPerHour'>,
  usage: UsageCounter,
  now: number,
) {
  const quota = (limit: number, used: number) => ({ limit, used, remaining: Math.max(0, limit - used) });
  return {
    rows: quota(rowsPerHour, usage.used(id, 'ingest_rows', now)),
    bytes: quota(bytesPerHour, usage.used(id, 'ingest_kib', now) * 1_024),
    reset_at: new Date(nextHourOf(now).at).toISOString(),
  };
}

function stateOf(lastReceived: number | null, now: number): State {
  if (lastReceived === null) return 'waiting';
  return isReceiving(lastReceived, now) ? 'receiving' : 'stale';
}

function nextSteps(state: State, website: Website, lastReceived: number | null, urls: PublicUrls): string[] {
  switch (state) {
    case 'waiting':
      return [
        ...setupGuide(website.sourceType, urls.ingest).steps,
        'Then ask for this status again: it turns to receiving within seconds of the first upload.',
      ];
    case 'stale':
      return [
        `Nothing has come since ${utcDate(lastReceived ?? 0)}. Check that the sender still runs and look at the answers it got: 401 means that its ingest key is wrong or revoked, 503 that it must repeat the upload, or that the hour’s quota is used up.`,
        `Check that it sends to ${urls.ingest} with the header X-API-Key.`,
        `The steps of the setup are at ${guideUrl(urls, website.sourceType)}.`,
      ];
    case 'receiving':
      return [
        `Logs arrive. Begin with GET /public/v1/websites/${website.id}/summary, or watch GET /public/v1/websites/${website.id}/live.`,
      ];
  }
}

/** What its operator has set on its visitors' data, where figures follow from it (docs/privacy.md). */
function keptOf({ privacy: { botsOnly, addressDays } }: Website): string[] {
  return [
    ...(botsOnly
      ? [
          'This website takes bot traffic alone: requests of people are not stored, and figures of people count none from then on.',
        ]
      : []),
    ...(addressDays === null
      ? []
      : [`Client addresses are kept for ${addressDays} days: an older request shows none, and counts stay.`]),
  ];
}

function utcDate(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
