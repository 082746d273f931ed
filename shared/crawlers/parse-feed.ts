import { z } from 'zod';
import { parseAddress } from '../requests/address.js';
import type { Feed } from './table-schema.js';

/** The prefixes in a feed's body, as the operator writes them. */
export interface ParsedFeed {
  readonly prefixes: string[];
  /** Creation time according to the operator. */
  readonly published: string | null;
}

const LONGEST_TIME = 64;

/** Google's format, which most operators adopted. */
const prefixesSchema = z.object({
  creationTime: z
    .string()
    .transform((text) => text.slice(0, LONGEST_TIME))
    .optional(),
  prefixes: z
    .array(
      z
        .object({
          ipv4Prefix: z.string().min(1),
          ipv6Prefix: z.string().min(1),
          ip_prefix: z.string().min(1),
        })
        .partial()
        .refine((entry) => Object.keys(entry).length > 0, 'an entry without a prefix'),
    )
    .min(1),
});

/** https://stat.ripe.net/docs/data-api/api-endpoints/announced-prefixes */
const ripestatSchema = z.object({
  data: z.object({ prefixes: z.array(z.object({ prefix: z.string().min(1) })).min(1) }),
});

/** @throws Error (zod's or JSON's) that describes a mismatch with the feed's format. */
export function parseFeed(format: Feed['format'], body: string): ParsedFeed {
  switch (format) {
    case 'prefixes': {
      const { prefixes, creationTime } = prefixesSchema.parse(JSON.parse(body));
      return {
        prefixes: prefixes.flatMap((entry) => Object.values(entry).filter((text) => text !== undefined)),
        published: creationTime ?? null,
      };
    }
    case 'ripestat':
      return {
        prefixes: ripestatSchema.parse(JSON.parse(body)).data.prefixes.map(({ prefix }) => prefix),
        published: null,
      };
    case 'text':
      return { prefixes: addressesIn(body), published: null };
  }
}

const CANDIDATE =
  /(?<![\w.:/-])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7})(?:\/\d{1,3})?(?![\w:-]|\.\d)/gi;

/** Addresses and prefixes anywhere in lines, JSON or a page; similar texts are left out. */
function addressesIn(body: string): string[] {
  return (body.match(CANDIDATE) ?? []).filter((text) => {
    const address = text.replace(/\/.*/, '');
    return address !== '::' && parseAddress(address) !== null;
  });
}
