import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** Sites that send visitors, by kind (`data/referrers-<year>-<month>.json`). A host includes its subdomains. */

/** The host of a website, or the package of an Android app, which may have an underscore. */
const host = z.string().regex(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/);
const kindSchema = z.strictObject({ hosts: z.array(host), patterns: z.array(z.string()) });

export const referrerListSchema = z.strictObject({
  search: kindSchema,
  social: kindSchema,
  spam: z.strictObject({ hosts: z.array(host) }).describe('Spam hosts missing from the public list'),
  ordinary_words: z
    .array(z.string())
    .describe('Values of utm_sources with other meanings: they name an assistant only in utm_source'),
  ai: z.array(
    z.strictObject({
      operator: z.string().describe("Same name as the operator of the assistant's crawlers"),
      hosts: z.array(host),
      paths: z
        .array(z.string())
        .optional()
        .describe('host/path-prefix or host/path?name=value, if the host also has other uses'),
      utm_sources: z
        .array(z.string())
        .describe('value, or value&utm_campaign=value if the value alone has other meanings'),
    }),
  ),
});
export type ReferrerList = z.infer<typeof referrerListSchema>;

export const spamHost = host;

/** Known referrer spam from the public list (`data/referrer-spam.json`), updated by `npm run refresh`. */
export const spamListSchema = z.strictObject({
  source: z.url(),
  licence: z.string(),
  as_of: z.iso.date().describe('Day of the list'),
  hosts: z.array(host).min(1_000),
});
export type SpamList = z.infer<typeof spamListSchema>;

const folder = fileURLToPath(new URL('./data/', import.meta.url));
export const spamListFile = `${folder}referrer-spam.json`;

/** Reads the newest list, with all known spam. @throws ZodError if it does not match the schema. */
export function loadReferrerList(): ReferrerList {
  const newest = readdirSync(folder)
    .filter((name) => /^referrers-\d{4}-\d{2}\.json$/.test(name))
    .sort()
    .at(-1);
  const list = referrerListSchema.parse(readJson(`${folder}${newest}`));
  const { hosts } = spamListSchema.parse(readJson(spamListFile));
  return { ...list, spam: { hosts: [...list.spam.hosts, ...hosts] } };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Criteria for visits from assistants, as shown in responses. */
export interface AiDetection {
  /**
   * Hosts including their subdomains, and `host/path-prefix` or `host/path?name=value` if the host also has other uses.
   */
  readonly referrerHosts: readonly string[];
  readonly utmSources: readonly string[];
  /** Operators of recognised assistants. */
  readonly operators: readonly string[];
}

/** The list's criteria, without the assignment to assistants. */
export function aiDetectionOf({ ai }: ReferrerList): AiDetection {
  return {
    referrerHosts: ai.flatMap(({ hosts, paths = [] }) => [...hosts, ...paths]),
    utmSources: ai.flatMap(({ utm_sources }) => utm_sources),
    operators: [...new Set(ai.map(({ operator }) => operator))],
  };
}
