import { z } from '@hono/zod-openapi';
import { count } from '../../../../shared/reads/answer/figures.js';
import { readCrawlBases } from '../../../../shared/reads/bots/counted-crawlers.js';
import {
  type ImpostorCandidate,
  readBlockCandidates,
} from '../../../../shared/reads/recommendations/block-candidates.js';
import { readClientSamples } from '../../../../shared/reads/recommendations/client-samples.js';
import { readNotFoundCandidates } from '../../../../shared/reads/recommendations/path-candidates.js';
import { readClaimedBots } from '../../../../shared/reads/recommendations/recommendation-details.js';
import type { RecommendationInput } from '../../../../shared/reads/recommendations/recommendation-input.js';
import { open } from '../../../../shared/reads/recommendations/recommendations.js';
import type { Scope } from '../../../../shared/reads/sql/scope.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { snippetTargetOf } from '../../snippets/all-snippets.js';
import { goablePaths } from '../../snippets/gone-paths.js';
import {
  type Impostor,
  type Snippet,
  type SnippetTargetName,
  type SnippetType,
  snippetTargetNames,
  snippetTypes,
} from '../../snippets/target.js';

/** Maximum number of entries in a list (spec §8). */
export const MOST_ENTRIES = 500;

export const snippetFields = {
  type: z.enum(snippetTypes),
  target: z.enum(snippetTargetNames),
  filename: z.string().openapi({ description: 'Suggested file name.' }),
  count: count('Number of entries: addresses, pairs of bot and address, or paths.'),
  entries: z
    .array(
      z.object({
        entry: z.string().openapi({ description: 'An address, `<bot> <address>`, or a path.' }),
        request_count: count('Requests for which it is recommended.'),
        reason_badges: z.array(z.string()).openapi({ description: 'As in the list of recommendations.' }),
      }),
    )
    .openapi({ description: 'The entries of the text, best score first.' }),
  snippet: z.string().openapi({
    description: 'Text of the configuration; empty if the target can not do it or the list is empty.',
  }),
  notes: z.array(z.string()).openapi({
    description: 'Where to put it, what was left out, what it does not cover, and alternatives.',
  }),
};

interface Entries {
  /** The configuration in the language of the target. */
  readonly snippet: Snippet;
  readonly entries: readonly Entry[];
  /** About the entries that were left out. */
  readonly notes: readonly string[];
}

interface Entry {
  readonly entry: string;
  readonly request_count: number;
  readonly reason_badges: string[];
}

export async function readSnippet(
  reader: ClickHouseReader,
  scope: Scope,
  input: RecommendationInput & { readonly type: SnippetType; readonly target: SnippetTargetName },
) {
  const { type, target } = input;
  const { snippet, entries, notes } = await entriesOf[type](reader, scope, input);
  const nothing = snippet.count === 0 && !cannot(type, target) ? ['No entries for this window.'] : [];
  return {
    type,
    target,
    filename: snippet.filename,
    count: snippet.count,
    entries: snippet.count === 0 ? [] : [...entries],
    snippet: snippet.text,
    notes: [
      ...nothing,
      ...snippet.notes,
      ...notes,
      'Resolved recommendations are left out. Nothing was applied: review and test it before you use it.',
    ],
  };
}

/** @returns whether the target supports no entries of this type. */
function cannot(type: SnippetType, name: SnippetTargetName): boolean {
  const target = snippetTargetOf(name);
  const one: Impostor = {
    name: 'Bot',
    userAgentPart: 'Bot',
    addresses: ['192.0.2.1'],
    realOneSeen: false,
    isSearchCrawler: false,
  };
  const tried = {
    block_ips: target.blockIps(one.addresses),
    block_bots: target.blockBots([one]),
    gone_404s: target.gone(['/old']),
  };
  return tried[type].count === 0;
}

type ReadEntries = (
  reader: ClickHouseReader,
  scope: Scope,
  input: RecommendationInput & { readonly target: SnippetTargetName },
) => Promise<Entries>;

const entriesOf: Readonly<Record<SnippetType, ReadEntries>> = {
  async block_ips(reader, scope, input) {
    const { addresses } = await readBlockCandidates(reader, scope, input);
    const { listed, notes } = withoutShared(open(addresses));
    return {
      snippet: snippetTargetOf(input.target).blockIps(listed.map(({ facts }) => facts.client_ip)),
      entries: listed.map(({ facts, reason_badges }) => ({
        entry: facts.client_ip,
        request_count: facts.requests,
        reason_badges: [...reason_badges],
      })),
      notes: [...notes, 'An address can get a new owner: remove it after some weeks.'],
    };
  },
  async block_bots(reader, scope, input) {
    const { impostors } = await readBlockCandidates(reader, scope, input);
    const { listed, notes } = withoutShared(open(impostors));
    return {
      snippet: snippetTargetOf(input.target).blockBots(await toImpostors(reader, scope, listed, input)),
      entries: listed.map(({ botName, facts, requests, reason_badges }) => ({
        entry: `${botName} ${facts.client_ip}`,
        request_count: requests,
        reason_badges: [...reason_badges],
      })),
      notes,
    };
  },
  async gone_404s(reader, scope, input) {
    const bases = await readCrawlBases(reader, scope);
    const found = open(await readNotFoundCandidates(reader, scope, input, bases));
    // An application may answer `/%61bout` with 404 and serve /about. Requests for the former must not make the page look gone.
    const dead = found
      .filter(({ served, isProbed, requests }) => served === 0 && !isProbed && requests.as_stored > 0)
      .map(({ path }) => path);
    const paths = goablePaths(dead).slice(0, MOST_ENTRIES);
    const left = found.length - paths.length;
    const candidates = new Map(found.map((candidate) => [candidate.path, candidate]));
    return {
      snippet: snippetTargetOf(input.target).gone(paths),
      entries: paths.map((path) => ({
        entry: path,
        request_count: candidates.get(path)?.requests.hits ?? 0,
        reason_badges: [...(candidates.get(path)?.reason_badges ?? [])],
      })),
      notes: [
        'Only for pages that will not come back. For a page that moved, a redirect to the new address keeps its visitors.',
        ...(left === 0
          ? []
          : [
              `Paths left out: ${left}. They were also answered 2xx or 3xx in the window, are common targets of scanners, were requested only in another spelling, or have characters that could match another page.`,
            ]),
      ],
    };
  },
};

/** Leaves out addresses of shared networks: a generated list must not block their other users. A person can still add them. */
function withoutShared<
  Candidate extends { readonly facts: { readonly client_ip: string }; readonly network: string | null },
>(candidates: readonly Candidate[]) {
  const listed = candidates.filter(({ network }) => network === null).slice(0, MOST_ENTRIES);
  const shared = candidates.filter(({ network }) => network !== null);
  const shown = [...new Set(shared.map(({ facts, network }) => `${facts.client_ip} (${network})`))].slice(
    0,
    20,
  );
  return {
    listed,
    notes:
      shared.length === 0
        ? []
        : [`${shared.length} entries of shared networks are left out, such as ${shown.join(', ')}.`],
  };
}

/** By claimed bot, in the order of the candidates. */
async function toImpostors(
  reader: ClickHouseReader,
  scope: Scope,
  candidates: readonly ImpostorCandidate[],
  { isSearchCrawler }: RecommendationInput,
): Promise<Impostor[]> {
  const names = [...new Set(candidates.map(({ botName }) => botName))];
  const [claimed, samples] = await Promise.all([
    readClaimedBots(reader, scope, names),
    readClientSamples(
      reader,
      scope,
      candidates.map(({ facts, firstSeen, lastSeen }) => ({
        client_ip: facts.client_ip,
        instants: [firstSeen, lastSeen],
      })),
    ),
  ]);
  return names.flatMap((name) => {
    const ofBot = candidates.filter(({ botName }) => botName === name);
    const groups = new Map<string, string[]>();
    for (const { facts } of ofBot) {
      const part = partOf(name, samples.get(facts.client_ip)?.userAgents ?? []);
      groups.set(part, [...(groups.get(part) ?? []), facts.client_ip]);
    }
    return [...groups].map(([userAgentPart, addresses]) => ({
      name,
      userAgentPart,
      addresses,
      realOneSeen: (claimed.get(name)?.verified_requests ?? 0) > 0,
      isSearchCrawler: isSearchCrawler(name),
    }));
  });
}

/** @returns the name if the user agents of an address contain it; else ''. */
function partOf(name: string, userAgents: readonly string[]): string {
  const isPlain = /^[ -~]+$/.test(name);
  const lower = name.toLowerCase();
  return isPlain && userAgents.some((text) => text.toLowerCase().includes(lower)) ? name : '';
}
