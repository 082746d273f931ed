import { decodeDecision, encodeDecision, keyOf } from '../../../shared/control/domain/event-codec.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import type { BlockEraser } from './erase-blocks.js';
import type { DecisionEraser } from './erase-decision.js';
import type { DetectionEraser } from './erase-detection.js';

/** Erasers of records, by the kind of record. */
export interface LogErasers {
  readonly decisions: DecisionEraser;
  readonly blocks: BlockEraser;
  readonly detection: DetectionEraser;
}

/**
 * Removes a subject from every record, if the log can rewrite records.
 * @param forgotten detectors have processed the orders to forget an address, so the orders may lose it, too.
 * @returns the number of changed records, without these orders. @throws LogUnavailableError
 */
export async function rewriteLog(
  log: EventLog,
  { decisions, blocks, detection }: LogErasers,
  forgotten: boolean,
): Promise<number> {
  if (log.rewrite === undefined) return 0;
  const changed = await log.rewrite('control.events', ({ value }) => {
    const erased = decisions.erase(decodeDecision(value));
    return erased === null ? null : { key: keyOf(erased), value: encodeDecision(erased) };
  });
  const sent = await rewriteBlocks(log, blocks);
  if (forgotten)
    await log.rewrite('requests.stored', ({ key, value }) => kept(key, detection.forgetting(value)));
  const alerts = await log.rewrite('alerts', ({ key, value }) => kept(key, detection.alert(value)));
  return changed + sent + alerts;
}

/** Removes requests from every block, if the log can rewrite records. @returns the number of changed records. @throws LogUnavailableError */
export async function rewriteBlocks(log: EventLog, blocks: BlockEraser): Promise<number> {
  if (log.rewrite === undefined) return 0;
  const raw = await log.rewrite('requests.raw', ({ key, value }) => kept(key, blocks.raw(value, key)));
  const dead = await log.rewrite('requests.dead', ({ key, value }) => kept(key, blocks.dead(value, key)));
  return raw + dead;
}

const kept = (key: string, value: Buffer | null) => (value === null ? null : { key, value });
