import { z } from '@hono/zod-openapi';
import { checks } from '../../../../shared/reads/checks/checks.js';
import { websiteRead } from '../../operation/operation.js';

export const getChecks = websiteRead({
  id: 'getChecks',
  tag: 'Checks',
  path: '/checks',
  summary: 'Results of the nightly checks',
  description:
    'Checks of technical SEO and delivery, from the logs of seven days and a few light fetches of the website. Each website is checked once a day, at its own time. `evaluated` is false until the first run. If this installation does not fetch websites, checks that need a fetch are `unknown`. Takes no window.',
  query: z.object({}),
  answer: checks.schema,
  run: (_input, { website, now, services }) =>
    checks.read(services.reader, { websiteId: website.id, now }, undefined),
});
