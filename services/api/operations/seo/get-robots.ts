import { z } from '@hono/zod-openapi';
import { robots } from '../../../../shared/reads/robots/robots.js';
import { crawlerParameters } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getRobots = windowRead({
  id: 'getRobots',
  tag: 'SEO crawlers',
  path: '/seo/robots',
  summary: 'Versions and violations of robots.txt',
  description: [
    'The file at `https://<domain>/robots.txt` (over http if https does not answer), its groups, and its violations by crawlers. It is fetched within minutes for a new website and then daily, if this installation fetches websites.',
    'A violation is a request of a verified crawler for a URL that the version in force at that time disallowed. The matching rule with the longest path decides; of two equally long rules, allow wins (RFC 9309). The crawler uses the group of its own name, else of the fallback name that its operator documents (Googlebot-Image: Googlebot), else of `*`.',
    'Bots that robots.txt does not address are left out: fetchers that act for a user (`ai_intent` fetcher), link previews, feed readers, monitoring. RFC 9309 lets a crawler cache a version for a day, so within a day of a new rule it may follow the old version.',
    'Requests to all hosts of the website are checked against this one file. While fetches fail, the last version stays in force for 30 days. After that, no violations are reported.',
  ].join('\n\n'),
  plans: 'starter',
  parameters: z.object({ bot: crawlerParameters.bot }),
  segment: false,
  // Only raw rows have the query strings that wildcard rules match, and a cached answer would miss a new version of the file.
  raw: true,
  answer: robots,
  input: ({ bot }, { website, services }) => ({
    bot,
    domain: website.domain,
    fetchesWebsites: services.fetchesWebsites,
  }),
});
