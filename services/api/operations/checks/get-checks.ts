import { z } from '@hono/zod-openapi';
import { checks } from '../../../../shared/reads/checks/checks.js';
import { websiteRead } from '../../operation/operation.js';

export const getChecks = websiteRead({
  id: 'getChecks',
  tag: 'Checks',
  path: '/checks',
  summary: 'What the nightly checks found',
  description:
    'Checks of technical SEO and delivery, from the logs of seven days and from a few light fetches of the website. Each website is checked once a day, at a moment of its own. `evaluated` is false until the first time. Where this installation fetches nothing from websites, what would need it is `unknown`. Takes no window.',
  query: z.object({}),
  answer: checks.schema,
  run: (_input, { website, now, services }) =>
    checks.read(services.reader, { websiteId: website.id, now }, undefined),
});
