import { setTimeout as sleep } from 'node:timers/promises';
import { PublicError } from '../../../shared/errors.js';
import { ENRICHER_GROUP } from '../../../shared/event-log/consumer-groups.js';
import type { Commit, EventLog } from '../../../shared/event-log/event-log.js';

/** An enricher at work plans ranges or gets them done within this, where uploads come. */
const LOOK_MS = 2_000;

/**
 * Runs work that must not meet an insert into `requests`, where enrichers are processes of their own: the operator stops them,
 * and this holds that nobody has written. Every insert stands as a plan in the group's commit from before it begins until it
 * is done (services/enricher/sink/EXACTLY-ONCE.md), so commits without a plan that do not change tell that none is under way.
 * @throws PublicError `conflict` where a plan stands, or a commit changes before or while the work runs.
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

/** The enricher's own rule: a commit of a range that is done has no text. */
const isPlan = ({ metadata }: Commit) => metadata !== '';

function stillAtWork(): PublicError {
  return new PublicError('conflict', 'enrichers are at work: scale them to 0, and repeat this');
}

/** A repeat of an insert commits the same plan again: that it stands still says nothing. */
function rangeInHand(): PublicError {
  return new PublicError(
    'conflict',
    'an enricher has a range in hand: let it finish, scale enrichers to 0, and repeat this (where none runs any more, start one until its lag is 0)',
  );
}
