import { LogDivergedError } from './event-log.js';

/** What the operator is told where a log no longer holds what was read of it. */

export interface Divergence {
  readonly topic: string;
  readonly group: string;
  readonly partition: number;
  /** Everything before this offset was read. */
  readonly read: number;
  /** The next offset that the log will give; null: it lies beyond `read`. */
  readonly end: number | null;
}

export function logDiverged({ group, ...place }: Divergence): LogDivergedError {
  return new LogDivergedError(
    `event log: ${whatIsFound(place)}. Group ${group} reads nothing more, since records would be skipped or stored ` +
      `twice. Stop every member of the group, run "npm run admin -- log accept --partition ${place.partition}", and ` +
      'start them again (docs/troubleshooting.md, "Diverged log")',
  );
}

/** Of a tail: what it has read is in memory alone, and a new one reads what the log has. */
export function tailDiverged(place: Omit<Divergence, 'group'>): LogDivergedError {
  return new LogDivergedError(`event log: ${whatIsFound(place)}. Whoever follows it must begin again`);
}

function whatIsFound({ topic, partition, read, end }: Omit<Divergence, 'group'>): string {
  const found = end === null ? 'but other records stand there now' : `but the log ends at ${end}`;
  return (
    `partition ${partition} of ${topic} was read up to offset ${read}, ${found}: a broker lost its tail ` +
    '(power cut, unclean election), or the topic was made anew'
  );
}
