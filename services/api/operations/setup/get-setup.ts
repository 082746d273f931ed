import { z } from '@hono/zod-openapi';
import { platforms, type Website } from '../../../../shared/control/domain/model.js';
import type { Plan } from '../../../../shared/control/domain/plans.js';
import {
  isReceiving,
  type OnlyBot,
  readOnlyBot,
  readReceipts,
} from '../../../../shared/reads/health/setup.js';
import { outcomeKinds, type UploadOutcome } from '../../../../shared/uploads/upload-outcome.js';
import { nextHourOf } from '../../../../shared/usage/clock-hour.js';
import type { UsageCounter } from '../../../../shared/usage/usage-counter.js';
import { arrivedPlatform, arrivedSource } from '../../arrivals/arrived-source.js';
import type { RecentUploads } from '../../arrivals/known-uploads.js';
import { type Guide, guideOfPlatform, guideOfSource } from '../../guides/all-guides.js';
import { guideUrl } from '../../guides/public-urls.js';
import { websiteRead } from '../../operation/operation.js';
import { claimVerification, toClaimVerification, verificationSteps } from './claim-verification.js';
import { readDnsClaims } from './dns-claims.js';
import { type LogState, nextSteps } from './next-steps.js';

const states = ['waiting', 'receiving', 'stale'] as const satisfies readonly LogState[];

const source = z.string().nullable().openapi({ description: 'Recognised log format; null: none.' });

const lineCounts = {
  accepted: z.int().openapi({ description: 'Lines that are requests.' }),
  rejected: z.int().openapi({ description: 'Lines that could not be read.' }),
  skipped: z.int().openapi({ description: 'Lines that are not visitors’ requests.' }),
};

const lastUpload = z.object({
  at: z.iso.datetime(),
  outcome: z.enum(outcomeKinds).openapi({
    description:
      'taken: answered 200. refused: answered 4xx; a retry would be refused too. failed: answered 5xx; retry. aborted: the sender disconnected before the end.',
  }),
  source,
  reason: z
    .string()
    .nullable()
    .openapi({ description: 'Error message to the sender; null if it was taken.' }),
  ...lineCounts,
});

const lastRejection = z.object({
  at: z.iso.datetime(),
  source,
  line: z.int().openapi({ description: 'Line number in its upload, from 1.' }),
  reason: z.string(),
});

const uploadSums = z.object({
  taken: z.int().openapi({ description: 'Uploads answered 200.' }),
  refused: z.int().openapi({ description: 'All other uploads with a good key.' }),
  ...lineCounts,
});

function allowance(what: string) {
  return z.object({
    limit: z.int().openapi({ description: `${what} an hour.` }),
    used: z.int().openapi({
      description: 'Use since the start of the hour, by all replicas, as far as this process knows.',
    }),
    remaining: z.int(),
  });
}

export const getSetup = websiteRead({
  id: 'getSetup',
  tag: 'Setup',
  path: '/setup',
  summary: 'Whether logs arrive',
  description:
    'Setup state of a website, and the next steps. `state`: waiting (no request is stored yet), receiving (requests within 24 hours), stale (none for longer). `next_steps` also reports if all requests have the user agent of one bot, because a CDN hides those of the visitors. `_pending_upload` means that accepted lines are not stored yet. The ingest key is never shown.',
  query: z.object({}),
  answer: z.object({
    website_id: z.string(),
    domain: z.string(),
    source_type: z.enum(platforms).openapi({
      description:
        'Sender of the uploads of the last 24 hours, if they name one; else the registered source type.',
    }),
    ingest: z.object({ url: z.url(), header: z.literal('X-API-Key') }),
    logs: z.object({
      state: z.enum(states),
      ever_received: z.boolean(),
      last_received_date: z.iso.date().nullable().openapi({ description: 'UTC; null: never.' }),
      records_last_30d: z.int().openapi({
        description: 'Requests received on the last 30 UTC days, including today.',
      }),
      last_upload: lastUpload.nullable().openapi({
        description:
          'The last finished upload with a valid key in the last 24 hours; null: none. It appears within a second of its end, or within a minute for repeated similar uploads.',
      }),
      last_rejection: lastRejection.nullable().openapi({
        description: 'The last rejected line of the last 24 hours, with the reason; null: none.',
      }),
      uploads_24h: uploadSums.openapi({
        description:
          'Over the last 24 clock hours (UTC), including the current one. A repeated upload counts again.',
      }),
    }),
    quota: z
      .object({
        rows: allowance('Requests; a request with many different texts counts as more than one;'),
        bytes: allowance('Bytes of uploads after decompression, in whole KiB of each upload,'),
        reset_at: z.iso.datetime().openapi({ description: 'When the next clock hour (UTC) begins.' }),
      })
      .openapi({
        description:
          'Quota of the website in this clock hour by its plan, and its use. Above the quota, ingest answers 503 with Retry-After; an upload that has begun is still taken.',
      }),
    verification: claimVerification.openapi({
      description: 'Whether this installation can verify crawler claims.',
    }),
    receiving: z.boolean(),
    next_steps: z.array(z.string()),
    guide_url: z.url().openapi({
      description: 'The guide of the sender of logs; the list of all guides if the sender is unknown.',
    }),
    checked_at: z.iso.datetime(),
  }),
  async run(_input, { website, caller, now, services }) {
    const question = { websiteId: website.id, now };
    // Before the store is read: rows stored in between may be missing from its answer.
    const isPending = (await services.pendingUploads.storedThrough(website.id)) !== null;
    const [{ requestsLast30Days, lastReceived }, claims, onlyBot] = await Promise.all([
      readReceipts(services.reader, question),
      readDnsClaims(services.reader, question),
      readOnlyBot(services.reader, question),
    ]);
    const verification = toClaimVerification(claims, services.crawlerListsAge(), services.publishesRanges);
    const state = stateOf(lastReceived, now);
    const recent = services.uploads.recent(website.id, now);
    const lastReceivedDate = lastReceived === null ? null : utcDate(lastReceived);
    const guide = guideOf(website, recent);
    const guideAt = guideUrl(services.urls, guide);
    return {
      website_id: website.id,
      domain: website.domain,
      source_type: arrivedPlatform(recent, website.sourceType),
      ingest: { url: services.urls.ingest, header: 'X-API-Key' as const },
      logs: {
        state,
        ever_received: lastReceived !== null,
        last_received_date: lastReceivedDate,
        records_last_30d: requestsLast30Days,
        ...uploadsOf(recent),
      },
      quota: quotaOf(website, services.control.plan(caller.organisation), services.usage, now),
      verification,
      receiving: state === 'receiving',
      next_steps: [
        ...nextSteps({
          state,
          websiteId: website.id,
          lastReceivedDate,
          recent,
          isPending,
          ingestUrl: services.urls.ingest,
          guideUrl: guideAt,
          isGuideKnown: guide !== null,
        }),
        ...(state === 'waiting' ? [] : verificationSteps(verification, services.fetchesWebsites)),
        ...hiddenAgentsOf(onlyBot),
        ...keptOf(website),
      ],
      guide_url: guideAt,
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

function stateOf(lastReceived: number | null, now: number): LogState {
  if (lastReceived === null) return 'waiting';
  return isReceiving(lastReceived, now) ? 'receiving' : 'stale';
}

/** By the sender of recent uploads, if they name one; else by the registered or detected platform. */
function guideOf({ sourceType }: Website, recent: RecentUploads): Guide | null {
  const arrived = arrivedSource(recent);
  const declared = guideOfPlatform(sourceType);
  return (arrived === null ? null : guideOfSource(arrived)) ?? declared;
}

function uploadsOf({ last, lastRejection, counts }: RecentUploads) {
  return {
    last_upload: last === null ? null : toUpload(last),
    last_rejection:
      lastRejection === null
        ? null
        : {
            at: new Date(lastRejection.at).toISOString(),
            source: lastRejection.source,
            line: lastRejection.line,
            reason: lastRejection.reason,
          },
    uploads_24h: counts,
  };
}

function toUpload({ at, kind, source, reason, accepted, rejected, skipped }: UploadOutcome) {
  return {
    at: new Date(at).toISOString(),
    outcome: kind,
    source,
    reason: reason === '' ? null : reason,
    accepted,
    rejected,
    skipped,
  };
}

/** Detects a CDN that sends its own user agent to the origin in place of the visitor's. */
function hiddenAgentsOf(bot: OnlyBot | null): string[] {
  if (bot === null) return [];
  return [
    `All ${bot.requests} requests of the last 30 days have the user agent of one bot, ${bot.name}. If people visit this website, its CDN or a proxy hides their user agents, and they count as this bot. Send the CDN’s own logs, or let it forward the User-Agent header to the origin (in CloudFront: an origin request policy that includes User-Agent, such as AllViewer).`,
  ];
}

/** Privacy settings that affect figures (docs/privacy.md). */
function keptOf({ privacy: { botsOnly, addressDays } }: Website): string[] {
  return [
    ...(botsOnly
      ? [
          'This website accepts only bot traffic: requests of people are not stored, so figures of people are 0 from then on.',
        ]
      : []),
    ...(addressDays === null
      ? []
      : [
          `Client addresses are kept for ${addressDays} days: older requests show none, and counts do not change.`,
        ]),
  ];
}

function utcDate(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
