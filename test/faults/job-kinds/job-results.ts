import { z } from 'zod';
import { requestJob } from '../../../shared/jobs/job-request.js';
import { BEFORE, deliveriesOf, type JobWebsite, type JobWorld } from '../job-world.js';

/** Starts of jobs, and their results in the store and at receivers. */

export const rowsOf = <Row>(world: JobWorld, website: JobWebsite, sql: string, row: z.ZodType<Row>) =>
  world.cluster.clickhouse.read({ name: 'test.results', sql, params: { id: website.id }, row });

/** Results of the website's runs of the job. The first run exists from the beginning. */
export async function runOf(world: JobWorld, website: JobWebsite, job: string): Promise<string> {
  const row = z.object({ outcome: z.string(), failures: z.number(), runs: z.number() });
  const sql = `SELECT argMax(j.outcome, j.finished_at) AS outcome, argMax(j.failures, j.finished_at) AS failures,
  count() AS runs FROM job_runs AS j WHERE website_id = {id: String} AND job = '${job}' AND j.problem != '${BEFORE}'`;
  const [found] = await rowsOf(world, website, sql, row);
  return found === undefined || found.runs === 0 ? 'none' : `${found.outcome}, ${found.failures} failures`;
}

export const ask = (kind: string) => async (world: JobWorld, website: JobWebsite) => {
  await requestJob(world.log, { kind, websiteId: website.id });
};

export const wasAsked = async ({ receivers }: JobWorld, { domain }: JobWebsite) => receivers.wasAsked(domain);
export const hasMessages = async (world: JobWorld, website: JobWebsite) =>
  (await deliveriesOf(world, website)).length > 0;

/** Each message once, by its channel and state. */
export async function messagesOf(world: JobWorld, website: JobWebsite): Promise<string[]> {
  const copies = world.receivers.copies();
  return (await deliveriesOf(world, website)).map(
    ({ delivery_id, channel, status }) =>
      `${channel} ${status}, ${copies.has(delivery_id) ? 'came' : 'never came'}`,
  );
}
