import { LogDivergedError } from './event-log.js';

/** Instructions for the operator if a log lacks records that were read. */

export interface Divergence {
  readonly topic: string;
  readonly group: string;
  readonly partition: number;
  /** All records before this offset were read. */
  readonly read: number;
  /** The log's next offset; null: it is beyond `read`. */
  readonly end: number | null;
}

export function logDiverged({ group, ...place }: Divergence): LogDivergedError {
  return new LogDivergedError(
    `event log: ${whatIsFound(place)}. Group ${group} stops reading, since records would be skipped or stored ` +
      `twice. Stop every member of the group, run "npm run admin -- log accept --partition ${place.partition}", and ` +
      'start them again (docs/troubleshooting.md, "Diverged log")',
  );
}

/** For a tail: its state is only in memory, and a new tail reads the present log. */
export function tailDiverged(place: Omit<Divergence, 'group'>): LogDivergedError {
  return new LogDivergedError(`event log: ${whatIsFound(place)}. Its readers must start again`);
}

function whatIsFound({ topic, partition, read, end }: Omit<Divergence, 'group'>): string {
  const found = end === null ? 'but other records are there now' : `but the log ends at ${end}`;
  return (
    `partition ${partition} of ${topic} was read up to offset ${read}, ${found}: a broker lost its tail ` +
    '(power cut, unclean election), or the topic was recreated'
  );
}
