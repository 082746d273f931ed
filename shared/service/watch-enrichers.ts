import { setTimeout as sleep } from 'node:timers/promises';
import { PublicError } from '../errors.js';
import type { EventLog } from '../event-log/event-log.js';

const GROUP = 'enricher';
/** A range is planned, inserted and committed within this, where an enricher is at work. */
const LOOK_MS = 2_000;

/**
 * Runs work that must not meet an insert into `requests`, where enrichers are processes of their own: the operator stops them,
 * and this holds that nobody has written. Every insert is announced in the group's commit before it begins
 * (services/enricher/sink/EXACTLY-ONCE.md), so that commits which stand still tell that none was made.
 */
export async function withEnrichersStopped<T>(
  log: EventLog,
  work: () => Promise<T>,
  lookMs = LOOK_MS,
): Promise<T> {
  const before = await commits(log);
  await sleep(lookMs);
  if ((await commits(log)) !== before) throw stillAtWork();
  const done = await work();
  if ((await commits(log)) !== before) throw stillAtWork();
  return done;
}

async function commits(log: EventLog): Promise<string> {
  return JSON.stringify(
    [...(await log.committed('requests.raw', GROUP))].sort(([one], [other]) => one - other),
  );
}

function stillAtWork(): PublicError {
  return new PublicError('conflict', 'enrichers are at work: scale them to 0, and repeat this');
}
