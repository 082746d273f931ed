import { z } from 'zod';
import { aiIntents } from '../requests/enriched-request.js';

/** The shape of the files under `data/`. A new month's table is a new folder `data/crawlers-<year>-<month>`. */

const name = z.string().min(1).max(64);

/** A token is one or more words that stand whole in a user agent, compared without case. */
const token = z
  .string()
  .min(1)
  .max(64)
  .describe(
    'Ends with "/" where the word alone is too common and only its product form (word/version) counts',
  );

export const crawlerSchema = z.strictObject({
  name,
  operator: name,
  family: name.optional().describe('Unit of verification; the name where absent'),
  intent: z.enum(aiIntents).optional(),
  tokens: z.array(token).min(1),
  certain: z
    .literal(true)
    .optional()
    .describe(
      'Its tokens count in every browser’s user agent, because no app and no device of people has these names',
    ),
  imitates: z
    .strictObject({
      user_agents: z.array(z.string().min(20)).min(1).describe('`Chrome/*.0.0.0` is any version'),
      networks: z.array(z.int().positive()).min(1).describe('Autonomous systems that it comes from'),
    })
    .optional()
    .describe(
      'User agents of browsers that the crawler sends without naming itself, and that people send, too',
    ),
  mobile_variant: z
    .enum(['smartphone', 'mobile'])
    .optional()
    .describe('Present where the crawler has two main variants: this one, and desktop'),
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
  hosts: z.array(hostPattern).min(1).optional().describe('Names that reverse DNS must give'),
  forward_records: z
    .literal(false)
    .optional()
    .describe('The operator keeps no forward records, so a right name alone proves nothing'),
  networks: z
    .array(z.int().positive())
    .min(1)
    .optional()
    .describe('Autonomous systems of the operator, where it documents them as a way to verify'),
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
    .describe('Shortest prefix lengths accepted where the operator announces wide blocks'),
  fresh_days: z
    .int()
    .min(1)
    .max(30)
    .optional()
    .describe(
      'Days after a download in which an address outside the list is spoofed, by how often the operator changes it; absent: 30',
    ),
  agents_only: z
    .literal(true)
    .optional()
    .describe(
      'An AI operator’s crawlers, fetchers or agents, and nobody who browses: a browser’s user agent from here is an undeclared agent',
    ),
});
export type Feed = z.infer<typeof feedSchema>;

export const rangeSnapshotSchema = z.strictObject({
  feed: z.string(),
  operator: name,
  urls: z.array(z.url()).min(1),
  published: z.string().nullable().describe('When the operator says it was made or changed'),
  retrieved: z.iso.date().describe('When it was last downloaded'),
  since: z.iso
    .date()
    .optional()
    .describe('Since when the same prefixes were found; absent: since `retrieved`'),
  prefixes: z.array(z.string()).min(1),
});
export type RangeSnapshot = z.infer<typeof rangeSnapshotSchema>;
