import type { Commit } from '../event-log/event-log.js';

/** The plan of a range, stored in the commit of the enrichers' group (services/enricher/sink/EXACTLY-ONCE.md). Pure. */
export interface Plan {
  /** Offset of the first record; also the commit's offset. */
  readonly first: number;
  readonly last: number;
  /** End of the deduplication token. It distinguishes the range from one at the same position of a recreated log. */
  readonly mark: string;
  /** First planning time, milliseconds since the epoch. */
  readonly plannedAt: number;
  /**
   * Offsets of records that are not inserted: the store refused them (they are in requests.dead), or they repeat a
   * stored block.
   */
  readonly leftOut: ReadonlySet<number>;
}

/** The commit contains a plan in an unknown form. */
export class UnknownPlanError extends Error {}

/** The event log allows 4,096 characters. */
const MOST_LEFT_OUT_CHARACTERS = 3_800;

/** `plan1:<last>:<mark>:<planned at, base 36>:<left out>` */
export function planCommit({ first, last, mark, plannedAt, leftOut }: Plan): Commit {
  const list = encodeOffsets(first, leftOut);
  // Without the list, a restart tries the whole range again and finds the same records.
  const kept = list.length <= MOST_LEFT_OUT_CHARACTERS ? list : '';
  const fields = [last, encodeURIComponent(mark), plannedAt.toString(36), kept];
  return { offset: first, metadata: `plan1:${fields.join(':')}` };
}

export function doneCommit(last: number): Commit {
  return { offset: last + 1, metadata: '' };
}

const PLAN = /^plan1:(\d+):([^:]*):([0-9a-z]+):([A-Za-z0-9_-]*)$/;

/**
 * The range that was planned and may have been inserted; null: none.
 * @throws UnknownPlanError if the plan has another form: skipping it could insert rows twice.
 */
export function readPlan(committed: Commit | null): Plan | null {
  if (committed === null || committed.metadata === '') return null;
  const { offset: first, metadata } = committed;
  const [, last, mark, plannedAt, list] = PLAN.exec(metadata) ?? [];
  if (last === undefined || mark === undefined || plannedAt === undefined || list === undefined) {
    throw new UnknownPlanError(
      `the commit contains an unreadable plan (${JSON.stringify(metadata.slice(0, 60))}): start with an empty log, or with the version that wrote it`,
    );
  }
  return {
    first,
    last: Number(last),
    mark: decodeURIComponent(mark),
    plannedAt: Number.parseInt(plannedAt, 36),
    leftOut: decodeOffsets(first, list),
  };
}

/** One bit per offset of the range, base64url. */
function encodeOffsets(first: number, offsets: ReadonlySet<number>): string {
  if (offsets.size === 0) return '';
  const bits = Buffer.alloc(Math.floor((Math.max(...offsets) - first) / 8) + 1);
  for (const offset of offsets) {
    const at = (offset - first) >> 3;
    bits[at] = (bits[at] as number) | (1 << ((offset - first) & 7));
  }
  return bits.toString('base64url');
}

function decodeOffsets(first: number, list: string): Set<number> {
  const offsets = new Set<number>();
  for (const [at, byte] of Buffer.from(list, 'base64url').entries()) {
    for (let bit = 0; bit < 8; bit += 1) if (byte & (1 << bit)) offsets.add(first + 8 * at + bit);
  }
  return offsets;
}
