interface Broken {
  readonly bot_name: string;
  readonly rule: string;
  readonly requests: number;
  readonly last_seen: string;
}

/** A rule of robots.txt that a crawler did not obey. */
export interface BrokenRule<Path> {
  readonly bot_name: string;
  readonly rule: string;
  readonly requests: number;
  readonly last_seen: string;
  /** Most requests first. */
  readonly paths: readonly Path[];
}

/** By crawler and rule, most requests first. @param violations by path, most requests first. */
export function brokenRules<Path extends Broken>(violations: readonly Path[]): BrokenRule<Path>[] {
  const groups = new Map<string, Path[]>();
  for (const violation of violations) {
    const key = JSON.stringify([violation.bot_name, violation.rule]);
    const own = groups.get(key);
    if (own === undefined) groups.set(key, [violation]);
    else own.push(violation);
  }
  return [...groups.values()]
    .map((paths) => ({
      bot_name: paths[0]!.bot_name,
      rule: paths[0]!.rule,
      requests: paths.reduce((sum, { requests }) => sum + requests, 0),
      last_seen:
        paths
          .map(({ last_seen }) => last_seen)
          .toSorted()
          .at(-1) ?? '',
      paths,
    }))
    .toSorted((a, b) => b.requests - a.requests);
}
