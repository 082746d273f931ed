/** What the operator is told where a log no longer holds what a group has read of it. */

export interface ShorterLog {
  readonly topic: string;
  readonly group: string;
  readonly partition: number;
  /** The group has read everything before this offset. */
  readonly read: number;
  /** The next offset that the log will give. */
  readonly end: number;
}

export function logIsShorter({ topic, group, partition, read, end }: ShorterLog): string {
  return diverged({
    topic,
    group,
    partition,
    found: `was read up to offset ${read}, but the log ends at ${end}`,
  });
}

export function logIsAnother(place: Omit<ShorterLog, 'end'>): string {
  return diverged({
    ...place,
    found: `was read up to offset ${place.read}, but other records stand there now`,
  });
}

function diverged({ topic, group, partition, found }: Omit<ShorterLog, 'read' | 'end'> & { found: string }) {
  return (
    `event log: partition ${partition} of ${topic} ${found}: a broker lost its tail (power cut, unclean election), ` +
    `or the topic was made anew. Group ${group} reads nothing more, since records would be skipped or stored twice. ` +
    `Stop every member of the group, run "npm run admin -- log accept --partition ${partition}", start them again ` +
    '(docs/operations.md, "A log shorter than what was read")'
  );
}
