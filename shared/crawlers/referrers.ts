import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** Sites that send visitors, by kind (`data/referrers-<year>-<month>.json`). A host stands for its subdomains. */

/** The host of a website, or the package of an Android app, which may have an underscore. */
const host = z.string().regex(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/);
const kindSchema = z.strictObject({ hosts: z.array(host), patterns: z.array(z.string()) });

export const referrerListSchema = z.strictObject({
  search: kindSchema,
  social: kindSchema,
  spam: z.strictObject({ hosts: z.array(host) }).describe('Hosts that the public list of spam lacks'),
  ordinary_words: z
    .array(z.string())
    .describe('Values of utm_sources that mean other things too: only utm_source names an assistant by them'),
  ai: z.array(
    z.strictObject({
      operator: z.string().describe("Same name as the operator of the assistant's crawlers"),
      hosts: z.array(host),
      paths: z
        .array(z.string())
        .optional()
        .describe('host/path-prefix or host/path?name=value, where the host is also something else'),
      utm_sources: z
        .array(z.string())
        .describe('value, or value&utm_campaign=value where the value alone is also something else'),
    }),
  ),
});
export type ReferrerList = z.infer<typeof referrerListSchema>;

export const spamHost = host;

/** Known referrer spam as the public list has it (`data/referrer-spam.json`); `npm run refresh` renews it. */
export const spamListSchema = z.strictObject({
  source: z.url(),
  licence: z.string(),
  as_of: z.iso.date().describe('Day of the list'),
  hosts: z.array(host).min(1_000),
});
export type SpamList = z.infer<typeof spamListSchema>;

const folder = fileURLToPath(new URL('./data/', import.meta.url));
export const spamListFile = `${folder}referrer-spam.json`;

/** Reads the newest list, with all known spam. @throws ZodError where it does not fit the schema. */
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

/** How visits that assistants sent are recognised, as answers show it. */
export interface AiDetection {
  /** Hosts, which stand for their subdomains, and `host/path-prefix` or `host/path?name=value` where the host is also something else. */
  readonly referrerHosts: readonly string[];
  readonly utmSources: readonly string[];
  /** Whose assistants are recognised. */
  readonly operators: readonly string[];
}

/** What the list says of assistants, without which assistant it is. */
export function aiDetectionOf({ ai }: ReferrerList): AiDetection {
  return {
    referrerHosts: ai.flatMap(({ hosts, paths = [] }) => [...hosts, ...paths]),
    utmSources: ai.flatMap(({ utm_sources }) => utm_sources),
    operators: [...new Set(ai.map(({ operator }) => operator))],
  };
}
