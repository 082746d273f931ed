import { z } from 'zod';
import { INSIGHTS } from '../../../shared/jobs/job-request.js';
import { wholeWebsite } from '../../../shared/reads/insights/insight-key.js';
import { readInsights } from '../../../shared/reads/insights/insight-rows.js';
import { type JobWebsite, type JobWorld, storeCrawls } from '../job-world.js';
import { TOKENS_A_CALL, TOKENS_A_DAY, textOf } from '../model.js';
import type { JobKind } from './job-kind.js';
import { ask, rowsOf, runOf } from './job-results.js';

/** Within the window of an insight. */
const CRAWLS = 500;
/** The call that was running when the process was killed. */
const MOST_SET_ASIDE = 1;

export const insights: JobKind = {
  name: INSIGHTS,
  prepare: (world, websites) => storeCrawls(world, websites, CRAWLS),
  begin: ask(INSIGHTS),
  hasBegun: async ({ receivers }, { domain }) => receivers.model.callsOf(domain) > 0,
  done: { run: 'done, 0 failures', insights: [{ content: textOf(CRAWLS), toolsUsed: ['summary'] }] },
  async result(world, website) {
    const stored = await readInsights(
      world.cluster.clickhouse,
      { websiteId: website.id, ...wholeWebsite },
      10,
    );
    return {
      run: await runOf(world, website, INSIGHTS),
      insights: stored.map(({ content, toolsUsed, inputTokens, outputTokens }) => {
        return { content, toolsUsed, inputTokens, outputTokens };
      }),
      tokens: await tokensOf(world, website),
    };
  },
};

/** One more call than the insight needed is allowed; an uncounted one is not. */
async function tokensOf(world: JobWorld, website: JobWebsite) {
  const sql = 'SELECT tokens, revision FROM insight_tokens FINAL WHERE website_id = {id: String}';
  const calls = await rowsOf(world, website, sql, z.object({ tokens: z.number(), revision: z.number() }));
  const answered = calls.filter(({ revision }) => revision === 1);
  const setAside = calls.filter(({ revision }) => revision === 0);
  return {
    areAllCounted: calls.length >= world.receivers.model.callsOf(website.domain),
    answeredTook: [...new Set(answered.map(({ tokens }) => tokens))],
    isSetAsideLeft: setAside.length > MOST_SET_ASIDE || setAside.some(({ tokens }) => tokens < TOKENS_A_CALL),
    isWithinBudget: calls.reduce((sum, { tokens }) => sum + tokens, 0) <= TOKENS_A_DAY,
  };
}
