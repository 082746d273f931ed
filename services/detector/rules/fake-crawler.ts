import { byName, samplesOf } from './by-name.js';
import { round, span } from './figures.js';
import { AT_ONCE, type Finding, type Rule } from './rule.js';
import { isMoreThanUsual } from './unwelcome.js';

/** Somebody passes for a crawler: the claim was checked and does not hold. One alert a claimed name. */
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
    return claims.flatMap((claim): Finding[] => {
      const { isMore, usual } = isMoreThanUsual('spoofed', claim.name, claim.requests, window, website);
      if (!isMore) return [];
      const addresses = window.counts.byClient.filter(
        ({ botName, verification }) => botName === claim.name && verification === 'spoofed',
      );
      return [
        {
          subject: claim.name,
          severity: 'warning',
          message: `${claim.requests} requests in ${span(window.end - window.start)} claim to be ${claim.name} and are not.`,
          details: {
            claimed_bot: claim.name,
            current_value: claim.requests,
            baseline_value: round(usual),
            addresses: addresses
              .slice(0, 5)
              .map(({ ip, country, asName, requests }) => ({ ip, country, network: asName, requests })),
            rejected: claim.rejected,
            ...samplesOf(claim),
          },
        },
      ];
    });
  },
};
