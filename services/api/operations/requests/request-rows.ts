import { z } from '@hono/zod-openapi';
import type { IpRequestRow, RequestRow } from '../../../../shared/queries/requests.js';
import {
  aiIntentOrNone,
  botCategoryOrNone,
  deviceType,
  referrerClass,
  trafficClass,
} from '../enumeration.js';
import { instant, toInstant } from '../instant.js';

/** Single requests as the API shows them: absent text is '', an absent number is null. */

export const statusCategories = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** `other`: no status at all (0, the client left first) or one outside 100-599. */
export const statusCategory = z.enum([...statusCategories, 'other']);

export const botVerdict = {
  bot_verified: z.boolean().nullable().openapi({
    description:
      'true: the bot is who it says; false: it has a verification method and failed it; null: no method, not answered yet, or not a bot.',
  }),
  bot_verification_status: z
    .enum(['verified', 'spoofed', 'unverifiable', 'pending'])
    .nullable()
    .openapi({ description: 'null for requests that claim no bot.' }),
};

export const requestEntry = z
  .object({
    timestamp: instant,
    request_id: z.string().openapi({ description: "The source's own id." }),
    source: z.string(),
    client_ip: z.string().openapi({ example: '66.249.66.1' }),
    method: z.string(),
    host: z.string(),
    path: z.string().openapi({ description: 'As sent, percent-encoded, without the query string.' }),
    query: z.string().openapi({ description: "Without '?'." }),
    file_type: z.string(),
    protocol: z.string().openapi({ example: 'HTTP/2' }),
    status: z.int(),
    status_category: statusCategory,
    bytes_sent: z.int(),
    time_taken_ms: z.int().nullable(),
    content_type: z.string(),
    cache_status: z.string().openapi({ example: 'hit' }),
    user_agent: z.string(),
    referrer: z.string(),
    referrer_domain: z.string(),
    referrer_class: referrerClass,
    ai_operator: z.string().openapi({ description: 'AI assistant that sent the visitor.' }),
    traffic_class: trafficClass,
    is_bot: z.boolean(),
    bot_name: z.string(),
    bot_variant: z.string(),
    bot_family: z.string(),
    bot_operator: z.string(),
    bot_category: botCategoryOrNone,
    ai_intent: aiIntentOrNone,
    ...botVerdict,
    country: z.string(),
    region: z.string(),
    city: z.string(),
    asn: z.int().nullable(),
    as_name: z.string(),
    browser: z.string(),
    os: z.string(),
    device_type: deviceType,
  })
  .openapi('Request');
export type RequestEntry = z.input<typeof requestEntry>;

export function toRequestEntry(row: RequestRow): RequestEntry {
  const { timestamp_ms, log_partition, log_offset, log_index, verification, asn, ...columns } = row;
  return {
    ...columns,
    timestamp: toInstant(timestamp_ms),
    status_category: toStatusCategory(row.status),
    asn: asn === 0 ? null : asn,
    ...toBotVerdict(verification),
  };
}

export const ipRequestEntry = z
  .object({
    timestamp: instant,
    path: z.string(),
    method: z.string(),
    status: z.int(),
    user_agent: z.string(),
    is_bot: z.boolean(),
  })
  .openapi('IpRequest');

export function toIpRequestEntry({ timestamp_ms, ...columns }: IpRequestRow): z.input<typeof ipRequestEntry> {
  return { timestamp: toInstant(timestamp_ms), ...columns };
}

export function toStatusCategory(status: number): z.input<typeof statusCategory> {
  return statusCategories[Math.floor(status / 100) - 1] ?? 'other';
}

const statuses = botVerdict.bot_verification_status.unwrap();

/** @param verification as resolved by shared/queries/verification.ts; '' where no bot is claimed. */
export function toBotVerdict(verification: string) {
  const status = verification === '' ? null : statuses.parse(verification);
  return {
    bot_verified: status === 'verified' ? true : status === 'spoofed' ? false : null,
    bot_verification_status: status,
  };
}
