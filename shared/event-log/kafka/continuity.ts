import { type Anchor, anchorOf, isSame } from './anchor.js';
import type { FetchedMessage } from './fetched-message.js';

/**
 * Checks that fetched records continue those fetched before. Under a new leader the log may have lost its tail and
 * grown again beyond the reader's position. The records there then do not show whether earlier ones are the same. So at
 * the start and after each change of the leader, the newest record already read is fetched again.
 */
export interface Continuity {
  /** The newest record that was fetched, or the record before the start position. */
  anchor(): Anchor | null;
  /** Offset to fetch before anything else; null: none. */
  wanted(): number | null;
  recheck(): void;
  /** The records already read have expired. */
  forget(): void;
  /**
   * Returns the messages of one response from `position` on; none while a check is pending.
   * @throws DivergedFrom if another record is at the anchor's offset
   */
  follow(messages: readonly FetchedMessage[], position: number): readonly FetchedMessage[];
}

export class DivergedFrom extends Error {
  constructor(readonly anchor: Anchor) {
    super(`another record is at offset ${anchor.offset}`);
  }
}

export interface ContinuityOptions {
  /** The topic stores only the last value of each key: a missing record then proves nothing about the log. */
  readonly compacted?: boolean;
}

/**
 * @param begin the record that was read last, by this reader or the one before; it may be on either side of the
 * position
 */
export function createContinuity(
  begin: Anchor | null,
  { compacted = false }: ContinuityOptions = {},
): Continuity {
  let anchor = begin;
  let checking = anchor !== null;
  /** Leader epoch in which the anchor is known to be in the log. */
  let epoch: number | undefined;

  /** Whether the response continues from the anchor to `position`. */
  function check(messages: readonly FetchedMessage[], known: Anchor, position: number): boolean {
    const found = messages.find(({ offset }) => Number(offset) >= known.offset);
    if (found === undefined) {
      // The anchor's batch comes first. Its remaining records show that the anchor was compacted away.
      if (compacted && messages.length > 0) checking = false;
      return false;
    }
    const gone = compacted && Number(found.offset) > known.offset;
    if (!gone && !isSame(anchorOf(found), known)) throw new DivergedFrom(known);
    checking = false;
    const goesOn = position === known.offset + 1;
    epoch = goesOn ? (epoch ?? epochOf(found)) : undefined;
    return goesOn;
  }

  return {
    anchor: () => anchor,
    wanted: () => (checking && anchor !== null ? anchor.offset : null),
    recheck() {
      checking = anchor !== null;
    },
    forget() {
      anchor = null;
      checking = false;
    },
    follow(messages, position) {
      // A response comes from one leader: records in the anchor's response continue it.
      const checked = checking;
      if (checking && anchor !== null && !check(messages, anchor, position)) return [];
      // A compressed batch is delivered completely, even if only its end was requested.
      const fresh = messages.filter(({ offset }) => Number(offset) >= position);
      const [first, last] = [fresh[0], fresh.at(-1)];
      if (first === undefined || last === undefined) return [];
      if (!checked && anchor !== null && epoch !== undefined && epochOf(first) !== epoch) {
        epoch = epochOf(first);
        checking = true;
        return [];
      }
      epoch = epochOf(last);
      anchor = anchorOf(last);
      return fresh;
    },
  };
}

function epochOf({ batchContext }: FetchedMessage): number | undefined {
  return batchContext?.partitionLeaderEpoch;
}
