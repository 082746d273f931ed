import { z } from 'zod';
import type { JobKind } from './job-kind.js';
import { ask, rowsOf, runOf, wasAsked } from './job-results.js';

export const robots: JobKind = {
  name: 'robots',
  begin: ask('robots'),
  hasBegun: wasAsked,
  done: { run: 'done, 0 failures', versions: 1 },
  async result(world, website) {
    const versions = 'SELECT content FROM robots_versions FINAL WHERE website_id = {id: String}';
    const found = await rowsOf(world, website, versions, z.object({ content: z.string() }));
    const fetches =
      'SELECT DISTINCT toString(outcome) AS outcome FROM robots_fetches WHERE website_id = {id: String}';
    return {
      run: await runOf(world, website, 'robots'),
      versions: found.length,
      disallows: found.map(({ content }) => content.includes('/private')),
      fetches: await rowsOf(world, website, fetches, z.object({ outcome: z.string() })),
    };
  },
};
