import { z } from '@hono/zod-openapi';
import { botVerdict, toBotVerdict } from '../../../../shared/reads/answer/bot-verdict.js';
import {
  aiIntentOrNone,
  botCategoryOrNone,
  deviceType,
  referrerClass,
  trafficClass,
  verificationMethodOrNone,
} from '../../../../shared/reads/answer/enumeration.js';
import { sentPath, sentQuery } from '../../../../shared/reads/answer/figures.js';
import { instant, toInstant } from '../../../../shared/reads/answer/instant.js';
import { statusCategory, toStatusCategory } from '../../../../shared/reads/answer/status-category.js';
import type { IpRequestRow, RequestRow } from '../../../../shared/reads/requests/request-rows-sql.js';

/** Single requests as the API shows them: absent text is '', an absent number is null. */

/** Not a person's request. */
export const isBot = z.boolean().openapi({
  description: 'The client claims to be a bot, truly or falsely, or is an undeclared agent.',
});

const rulesVersion = z.string().openapi({
  description:
    'Version of the classification rules: month of the crawler table, day of the newest list of address ranges, digest.',
});

export const requestEntry = z
  .object({
    timestamp: instant,
    request_id: z.string().openapi({ description: 'Id from the log source.' }),
    source: z.string(),
    client_ip: z
      .string()
      .openapi({ example: '66.249.66.1', description: 'Empty if it is no longer stored.' }),
    method: z.string(),
    host: z.string(),
    path: sentPath,
    query: sentQuery,
    file_type: z.string().openapi({ description: 'Empty if there is no path.' }),
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
    ai_operator: z.string().openapi({ description: 'Operator of the AI assistant that sent the visitor.' }),
    traffic_class: trafficClass,
    is_bot: isBot,
    bot_name: z.string(),
    bot_variant: z.string(),
    bot_family: z.string(),
    bot_operator: z.string(),
    bot_category: botCategoryOrNone,
    ai_intent: aiIntentOrNone,
    ...botVerdict,
    bot_verification_method: verificationMethodOrNone,
    rules_version: rulesVersion,
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
  const {
    timestamp_ms,
    log_partition,
    log_offset,
    log_index,
    verification,
    verification_method,
    asn,
    ...columns
  } = row;
  return {
    ...columns,
    timestamp: toInstant(timestamp_ms),
    status_category: toStatusCategory(row.status),
    asn: asn === 0 ? null : asn,
    ...toBotVerdict(verification),
    bot_verification_method: verification_method,
  };
}

export const ipRequestEntry = z
  .object({
    timestamp: instant,
    path: sentPath,
    method: z.string(),
    status: z.int(),
    user_agent: z.string(),
    is_bot: isBot,
  })
  .openapi('IpRequest');

/** An `ipRequestEntry` has no address: the whole answer has one. */
export function toIpRequestEntry({ timestamp_ms, ...columns }: IpRequestRow): z.input<typeof ipRequestEntry> {
  return { timestamp: toInstant(timestamp_ms), ...columns };
}
