import { setTimeout as sleep } from 'node:timers/promises';
import { PublicError } from '../../../shared/errors.js';
import { ENRICHER_GROUP } from '../../../shared/event-log/consumer-groups.js';
import type { Commit, EventLog } from '../../../shared/event-log/event-log.js';

/** A running enricher plans or finishes ranges within this time if there are uploads. */
const LOOK_MS = 2_000;

/**
 * Runs work that must not overlap an insert into `requests`, if enrichers are separate processes. The operator stops them, and
 * this function verifies that no insert runs. During every insert, the group's commit contains its plan
 * (services/enricher/sink/EXACTLY-ONCE.md). Unchanged commits without a plan therefore prove that no insert is running.
 * @throws PublicError `conflict` if a commit contains a plan, or changes before or during the work.
 */
export async function withEnrichersStopped<T>(
  log: EventLog,
  work: () => Promise<T>,
  lookMs = LOOK_MS,
): Promise<T> {
  const before = await restingCommits(log);
  await sleep(lookMs);
  if ((await restingCommits(log)) !== before) throw stillAtWork();
  const done = await work();
  if ((await restingCommits(log)) !== before) throw stillAtWork();
  return done;
}

async function restingCommits(log: EventLog): Promise<string> {
  const commits = [...(await log.committed('requests.raw', ENRICHER_GROUP))];
  if (commits.some(([, commit]) => isPlan(commit))) throw rangeInHand();
  return JSON.stringify(commits.sort(([one], [other]) => one - other));
}

/** Rule of the enricher: the commit of a finished range has no metadata. */
const isPlan = ({ metadata }: Commit) => metadata !== '';

function stillAtWork(): PublicError {
  return new PublicError('conflict', 'enrichers are running: scale them to 0, and repeat the command');
}

/** A repeated insert commits the same plan again, so an unchanged plan proves nothing. */
function rangeInHand(): PublicError {
  return new PublicError(
    'conflict',
    'an enricher has not finished a range: let it finish, scale enrichers to 0, and repeat the command. If no enricher is running, start one until its lag is 0',
  );
}
