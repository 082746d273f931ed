import ipaddr from 'ipaddr.js';
import type { Platform } from '../control/domain/model.js';
import { type HostingProvider, hostingProviders } from './hosting-providers.js';

/** Finds a website's hosting platform (spec §2.2 `detected`) by DNS alone. Sends no request to the website. */

/** The used part of the Resolver of `node:dns/promises`. */
export interface PlatformResolver {
  resolveCname(name: string): Promise<string[]>;
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
  resolveNs(name: string): Promise<string[]>;
}

export interface DetectOptions {
  readonly resolver: PlatformResolver;
  /** Autonomous system that announces the address; without it only ranges are checked. */
  readonly asnOf?: (address: string) => number | null;
  /** For all look-ups together; answers that arrive in time decide. */
  readonly timeoutMs?: number;
}

export interface DetectedPlatform {
  readonly cdn: string;
  readonly displayName: string;
  readonly compatible: boolean;
  /** Null: unknown. */
  readonly sourceType: Platform | null;
}

/** Compatible, since any server can write a supported log format. */
const unknownPlatform: DetectedPlatform = {
  cdn: 'unknown',
  displayName: 'Unknown platform',
  compatible: true,
  sourceType: null,
};

const DEFAULT_TIMEOUT_MS = 2_000;
const MAX_CNAME_HOPS = 8;
/** Number of parent names whose name servers are queried. */
const MAX_PARENTS = 3;

/**
 * Never fails: a domain without timely DNS answers is on an unknown platform.
 * The strongest evidence decides: the name's own CNAMEs, then its addresses, then the CNAMEs of its `www.` twin (a bare
 * domain cannot have any), then its name servers.
 * @param domain as normaliseDomain returns it.
 */
export async function detectPlatform(domain: string, options: DetectOptions): Promise<DetectedPlatform> {
  const { resolver, asnOf = () => null, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const deadline = createDeadline(timeoutMs);
  const ask = (lookUp: () => Promise<string[]>) => deadline.orEmpty(lookUp);
  try {
    const [cnames, v4, v6, wwwCnames, nameServers] = await Promise.all([
      followCnames(domain, (name) => ask(() => resolver.resolveCname(name))),
      ask(() => resolver.resolve4(domain)),
      ask(() => resolver.resolve6(domain)),
      followCnames(`www.${domain}`, (name) => ask(() => resolver.resolveCname(name))),
      Promise.all(withParents(domain).map((name) => ask(() => resolver.resolveNs(name)))),
    ]);
    const platform =
      firstByName(cnames, (each) => each.cnames) ??
      byAddress([...v4, ...v6], asnOf) ??
      firstByName(wwwCnames, (each) => each.cnames) ??
      firstByName(nameServers.flat(), (each) => each.nameServers ?? []);
    return platform === undefined ? unknownPlatform : toDetected(platform);
  } finally {
    deadline.clear();
  }
}

async function followCnames(domain: string, ask: (name: string) => Promise<string[]>): Promise<string[]> {
  const chain: string[] = [];
  let name: string | undefined = domain;
  while (name !== undefined && chain.length < MAX_CNAME_HOPS) {
    const targets: string[] = await ask(name);
    chain.push(...targets);
    name = targets.at(-1);
  }
  return chain;
}

function withParents(domain: string): string[] {
  const labels = domain.split('.');
  return labels
    .slice(0, -1)
    .slice(0, MAX_PARENTS + 1)
    .map((_, index) => labels.slice(index).join('.'));
}

/** Checks the names in order: the first known one is the customer's target. */
function firstByName(
  names: readonly string[],
  endsOf: (platform: HostingProvider) => readonly string[],
): HostingProvider | undefined {
  for (const name of names.map((each) => each.toLowerCase().replace(/\.$/, ''))) {
    const found = hostingProviders.find((platform) =>
      endsOf(platform).some((end) => name === end || name.endsWith(`.${end}`)),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Ranges before systems: hosted services are inside the networks of the large CDNs. */
function byAddress(
  addresses: readonly string[],
  asnOf: (address: string) => number | null,
): HostingProvider | undefined {
  const parsed = addresses.filter((address) => ipaddr.isValid(address)).map((text) => ipaddr.parse(text));
  const asns = new Set(parsed.map((address) => asnOf(address.toString())));
  return (
    hostingProviders.find(({ ranges = [] }) =>
      ranges.some((range) => parsed.some((each) => isWithin(each, range))),
    ) ?? hostingProviders.find((platform) => platform.asns?.some((asn) => asns.has(asn)))
  );
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, range: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(range);
  return address.kind() === network.kind() && address.match(network, bits);
}

function toDetected({ cdn, displayName, compatible, sourceType }: HostingProvider): DetectedPlatform {
  return { cdn, displayName, compatible, sourceType };
}

function createDeadline(timeoutMs: number) {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), timeoutMs);
  });
  return {
    /** Result of the look-up; empty if it fails or is late. */
    orEmpty: (lookUp: () => Promise<string[]>) =>
      Promise.race([
        passed,
        Promise.resolve()
          .then(lookUp)
          .catch(() => []),
      ]),
    clear: () => clearTimeout(timer),
  };
}
