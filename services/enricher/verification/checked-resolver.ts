import type { DnsResolver } from './confirm-host.js';

/**
 * A resolver with a reliable "no such name". Without access to the public DNS, as in a closed network,
 * resolvers often return it for every address, and every crawler would be classified as spoofed. A negative
 * answer counts only while one of a few well-known addresses has a name.
 */

/** Public resolvers of three operators; their names have been stable for years. */
const CANARIES = ['8.8.8.8', '1.1.1.1', '9.9.9.9'];
const CHECK_LIFETIME_MS = 60_000;

const saysNo = (error: unknown) => ['ENOTFOUND', 'ENODATA'].includes((error as { code?: string }).code ?? '');

/** The negative answer is unreliable, so there is no verdict. */
class NoPublicDnsError extends Error {
  readonly code = 'ESERVFAIL';
}

export function createCheckedResolver(resolver: DnsResolver, now: () => number): DnsResolver {
  let check: { at: number; works: Promise<boolean> } | null = null;

  function publicDnsWorks(): Promise<boolean> {
    if (check === null || now() - check.at > CHECK_LIFETIME_MS) {
      const works = Promise.any(
        CANARIES.map(async (address) => {
          if ((await resolver.reverse(address)).length === 0) throw new Error('no name');
          return true;
        }),
      ).catch(() => false);
      check = { at: now(), works };
    }
    return check.works;
  }

  async function ask(question: Promise<string[]>): Promise<string[]> {
    try {
      return await question;
    } catch (error) {
      if (saysNo(error) && !(await publicDnsWorks())) {
        throw new NoPublicDnsError('the resolver does not reach the public DNS', { cause: error });
      }
      throw error;
    }
  }

  return {
    reverse: (ip) => ask(resolver.reverse(ip)),
    resolve4: (name) => ask(resolver.resolve4(name)),
    resolve6: (name) => ask(resolver.resolve6(name)),
  };
}
