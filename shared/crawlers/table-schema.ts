import { z } from 'zod';
import { aiIntents } from '../requests/enriched-request.js';

/** Schema of the files under `data/`. A new month's table is a new folder `data/crawlers-<year>-<month>`. */

const name = z.string().min(1).max(64);

/** One or more whole words of a user agent, compared without case. */
const token = z
  .string()
  .min(1)
  .max(64)
  .describe('Ends with "/" if the word alone is too common and only its product form (word/version) counts');

export const crawlerSchema = z.strictObject({
  name,
  operator: name,
  family: name.optional().describe('Unit of verification; default: the name'),
  intent: z.enum(aiIntents).optional(),
  tokens: z.array(token).min(1),
  certain: z
    .literal(true)
    .optional()
    .describe(
      'Its tokens count even in a browser’s user agent, because no app and no device of people has these names',
    ),
  imitates: z
    .strictObject({
      user_agents: z.array(z.string().min(20)).min(1).describe('`Chrome/*.0.0.0` is any version'),
      networks: z.array(z.int().positive()).min(1).describe('Autonomous systems of its requests'),
    })
    .optional()
    .describe('Browser user agents that the crawler sends without its name, and that people also send'),
  mobile_variant: z
    .enum(['smartphone', 'mobile'])
    .optional()
    .describe('Present if the crawler has two main variants: this one, and desktop'),
});
export type CrawlerEntry = z.infer<typeof crawlerSchema>;

const hostPattern = z
  .string()
  .regex(
    /^(?:\*|[a-z0-9-]+-\*)(?:\.[a-z0-9-]+){2,}$/,
    'a host pattern is *.example.com or prefix-*.example.com',
  );

export const familySchema = z.strictObject({
  name,
  feeds: z.array(z.string()).min(1).optional().describe('Published address ranges (data/feeds.json)'),
  hosts: z.array(hostPattern).min(1).optional().describe('Host names that reverse DNS must return'),
  forward_records: z
    .literal(false)
    .optional()
    .describe('The operator has no forward records, so a matching name alone proves nothing'),
  networks: z
    .array(z.int().positive())
    .min(1)
    .optional()
    .describe('Autonomous systems that the operator documents for verification'),
  documentation: z.url(),
});
export type FamilyEntry = z.infer<typeof familySchema>;

const feedFormats = ['prefixes', 'text', 'ripestat'] as const;

export const feedSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  operator: name,
  urls: z.array(z.url()).min(1),
  format: z.enum(feedFormats),
  min_prefixes: z.int().positive(),
  max_prefixes: z.int().positive(),
  widest: z
    .strictObject({ ipv4: z.int().min(8).max(32), ipv6: z.int().min(19).max(128) })
    .optional()
    .describe('Shortest accepted prefix lengths, for an operator that announces wide blocks'),
  fresh_days: z
    .int()
    .min(1)
    .max(30)
    .optional()
    .describe(
      'Days after a download in which an address outside the list counts as spoofed; depends on how often the operator changes it; default: 30',
    ),
  agents_only: z
    .literal(true)
    .optional()
    .describe(
      'Only an AI operator’s crawlers, fetchers or agents: a browser’s user agent from these addresses is an undeclared agent',
    ),
});
export type Feed = z.infer<typeof feedSchema>;

export const rangeSnapshotSchema = z.strictObject({
  feed: z.string(),
  operator: name,
  urls: z.array(z.url()).min(1),
  published: z.string().nullable().describe('Creation or change time according to the operator'),
  retrieved: z.iso.date().describe('Day of the last download'),
  since: z.iso.date().optional().describe('First day with the same prefixes; default: `retrieved`'),
  prefixes: z.array(z.string()).min(1),
});
export type RangeSnapshot = z.infer<typeof rangeSnapshotSchema>;
