import { z } from '@hono/zod-openapi';
import { robots } from '../../../../shared/reads/robots/robots.js';
import { crawlerParameters } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getRobots = windowRead({
  id: 'getRobots',
  tag: 'SEO crawlers',
  path: '/seo/robots',
  summary: 'robots.txt: its versions, and which crawlers did not obey it',
  description: [
    'The file at `https://<domain>/robots.txt` (over http where https does not answer), fetched within minutes for a new website and daily from then on (unless this installation fetches nothing), its groups, and what crawlers did against it.',
    'A violation is a request of a crawler that was proved to be who it says, for a URL that the version standing at the time of the request disallowed to it: by the rule with the longest path that matches, allow before disallow where two are as long (RFC 9309). The crawler goes by the group of its own name, else of the name that its operator names next (Googlebot-Image: Googlebot), else of `*`.',
    'Left out are those that robots.txt is not for: fetchers, which act for a user and ignore it by design (`ai_intent` fetcher), previews of links, feed readers, monitoring. RFC 9309 lets a crawler keep a version for a day, so what it asks for within a day of a new rule may follow the old one.',
    'All hosts of the website are held against this one file. While it can not be fetched the last version stands for 30 days; what stands after that is not known, and nothing is judged by it.',
  ].join('\n\n'),
  plans: 'starter',
  parameters: z.object({ bot: crawlerParameters.bot }),
  segment: false,
  // Rules with a wildcard look into query strings, which raw rows alone have; and what is kept of an answer knows nothing of a new version.
  raw: true,
  answer: robots,
  input: ({ bot }, { website, services }) => ({
    bot,
    domain: website.domain,
    fetchesWebsites: services.fetchesWebsites,
  }),
});
