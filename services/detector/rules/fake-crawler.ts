import type { SpanCounts } from '../counts/span-counts.js';
import { byName, type NamedRequests, samplesOf } from './by-name.js';
import { round, span } from './figures.js';
import { AT_ONCE, type Finding, type Rule, type WindowView } from './rule.js';
import { apartOrTogether, firstOf, listed } from './together.js';
import { moreThanUsual, type Unwelcome } from './unwelcome.js';

const MOST_ADDRESSES = 5;

/** A client claims to be a crawler, and verification disproved the claim. One alert for each claimed name. */
export const fakeCrawler: Rule = {
  type: 'fake_crawler',
  persistence: AT_ONCE,
  inhibitedBy: [],
  find(window, website) {
    const claims = byName(
      window.counts.byBot,
      ({ name }) => name,
      ({ verification }) => verification === 'spoofed',
    );
    return apartOrTogether(
      moreThanUsual('spoofed', claims, window, website),
      (claim) => oneOf(claim, window),
      (several) => severalOf(several, window),
    );
  },
};

function oneOf({ of: claim, usual }: Unwelcome, { counts, start, end }: WindowView): Finding {
  return {
    subject: claim.name,
    severity: 'warning',
    message: `${claim.requests} requests in ${span(end - start)} claim to be ${claim.name} and are not.`,
    details: {
      claimed_bot: claim.name,
      current_value: claim.requests,
      baseline_value: round(usual),
      addresses: addressesOf([claim], counts),
      rejected: claim.rejected,
      ...samplesOf(claim),
    },
  };
}

function severalOf(
  several: readonly Unwelcome[],
  { counts, start, end }: WindowView,
): Omit<Finding, 'subject'> {
  const claims = several.map(({ of }) => of);
  const sum = (count: (claim: NamedRequests) => number) =>
    claims.reduce((all, claim) => all + count(claim), 0);
  const requests = sum((claim) => claim.requests);
  const names = claims.map(({ name }) => name);
  return {
    severity: 'warning',
    message: `${requests} requests in ${span(end - start)} claim to be ${claims.length} crawlers and are not: ${firstOf(names)}.`,
    details: {
      claimed_bots: listed(names),
      current_value: requests,
      addresses: addressesOf(claims, counts),
      rejected: sum(({ rejected }) => rejected),
      ...samplesOf(claims[0]!),
    },
  };
}

/**
 * The addresses with these claims. If none is listed under them (another claim, or a full list), the samples
 * of the claims.
 */
function addressesOf(claims: readonly NamedRequests[], { byClient }: SpanCounts) {
  const names = new Set(claims.map(({ name }) => name));
  const claimants = byClient
    .filter(({ botName, verification }) => verification === 'spoofed' && names.has(botName))
    .slice(0, MOST_ADDRESSES)
    .map(({ ip, country, asName, requests }) => ({ ip, country, network: asName, requests }));
  if (claimants.length > 0) return claimants;
  const examples = claims.flatMap(({ parts }) => parts.map(({ sampleIp }) => sampleIp));
  return [...new Set(examples)]
    .filter((ip) => ip !== '')
    .slice(0, MOST_ADDRESSES)
    .map((ip) => ({ ip }));
}
