import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** Sites that send visitors, by kind (`data/referrers-<year>-<month>.json`). A host stands for its subdomains. */

const host = z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);
const kindSchema = z.strictObject({ hosts: z.array(host), patterns: z.array(z.string()) });

export const referrerListSchema = z.strictObject({
  search: kindSchema,
  social: kindSchema,
  ai: z.array(
    z.strictObject({
      operator: z.string().describe("Same name as the operator of the assistant's crawlers"),
      hosts: z.array(host),
      paths: z
        .array(z.string())
        .optional()
        .describe('host/path-prefix, where the host is also something else'),
      utm_sources: z.array(z.string()),
    }),
  ),
});
export type ReferrerList = z.infer<typeof referrerListSchema>;

/** Reads the newest list. @throws ZodError where it does not fit the schema. */
export function loadReferrerList(): ReferrerList {
  const folder = fileURLToPath(new URL('./data/', import.meta.url));
  const newest = readdirSync(folder)
    .filter((name) => /^referrers-\d{4}-\d{2}\.json$/.test(name))
    .sort()
    .at(-1);
  return referrerListSchema.parse(JSON.parse(readFileSync(`${folder}${newest}`, 'utf8')));
}

/** What visits that assistants sent are told by, as answers show it. */
export interface AiDetection {
  /** Hosts, which stand for their subdomains, and `host/path-prefix` where the host is also something else. */
  readonly referrerHosts: readonly string[];
  readonly utmSources: readonly string[];
}

/** What the list says of assistants, without which assistant it is. */
export function aiDetectionOf({ ai }: ReferrerList): AiDetection {
  return {
    referrerHosts: ai.flatMap(({ hosts, paths = [] }) => [...hosts, ...paths]),
    utmSources: ai.flatMap(({ utm_sources }) => utm_sources),
  };
}
