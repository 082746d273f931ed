import type { BotCounts } from '../counts/span-counts.js';

/** The requests of a window under one name: of a bot, an operator, or a crawler's family. */
export interface NamedRequests {
  readonly name: string;
  readonly requests: number;
  readonly notFound: number;
  readonly rejected: number;
  readonly status5xx: number;
  /** Most requests first. */
  readonly parts: readonly BotCounts[];
}

/** Groups the bots that `pick` accepts, most requests first. */
export function byName(
  bots: readonly BotCounts[],
  nameOf: (bot: BotCounts) => string,
  pick: (bot: BotCounts) => boolean,
): readonly NamedRequests[] {
  const groups = new Map<string, BotCounts[]>();
  for (const bot of bots) {
    if (!pick(bot)) continue;
    const group = groups.get(nameOf(bot));
    if (group === undefined) groups.set(nameOf(bot), [bot]);
    else group.push(bot);
  }
  return [...groups]
    .map(([name, parts]) => {
      const sum = (of: (bot: BotCounts) => number) => parts.reduce((total, bot) => total + of(bot), 0);
      return {
        name,
        requests: sum(({ requests }) => requests),
        notFound: sum(({ notFound }) => notFound),
        rejected: sum(({ rejected }) => rejected),
        status5xx: sum(({ status5xx }) => status5xx),
        parts: parts.toSorted((a, b) => b.requests - a.requests),
      };
    })
    .sort((a, b) => b.requests - a.requests);
}

/** A sample user agent, address and paths as evidence. */
export function samplesOf({ parts }: NamedRequests): Readonly<Record<string, unknown>> {
  const first = parts[0]!;
  return {
    sample_user_agent: first.sampleUserAgent,
    sample_ip: first.sampleIp,
    sample_paths: [...new Set(parts.map(({ samplePath }) => samplePath))].filter((path) => path !== ''),
  };
}
