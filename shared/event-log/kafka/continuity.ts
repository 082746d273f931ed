import { type Anchor, anchorOf, isSame } from './anchor.js';
import type { FetchedMessage } from './fetched-message.js';

/**
 * Whether what is fetched of a partition goes on behind what was fetched before. Under another leader the log may have
 * lost its tail, and grown again past the position of its reader: what stands there now says nothing of what stood
 * before it. So with each change of the leader, and at the start, the newest record that was read is read once more.
 */
export interface Continuity {
  /** The newest record that was fetched, or what the reader began behind. */
  anchor(): Anchor | null;
  /** Offset to be fetched before anything else; null: none. */
  wanted(): number | null;
  recheck(): void;
  /** What was read is not held any more, by age. */
  forget(): void;
  /**
   * Of one answer, the messages from `position` on. None where they have to wait for a check.
   * @throws DivergedFrom where another record stands in the anchor's place
   */
  follow(messages: readonly FetchedMessage[], position: number): readonly FetchedMessage[];
}

export class DivergedFrom extends Error {
  constructor(readonly anchor: Anchor) {
    super(`another record stands at offset ${anchor.offset}`);
  }
}

export interface ContinuityOptions {
  /** The topic keeps the last value of each key alone: what was read may have gone, and says nothing of the log then. */
  readonly compacted?: boolean;
}

/** @param begin the record that was read last, by this reader or the one before; it may lie on either side of the position */
export function createContinuity(
  begin: Anchor | null,
  { compacted = false }: ContinuityOptions = {},
): Continuity {
  let anchor = begin;
  let checking = anchor !== null;
  /** The leader's, under which the anchor is known to stand in the log. */
  let epoch: number | undefined;

  /** Whether the answer goes on from the anchor to `position`. */
  function check(messages: readonly FetchedMessage[], known: Anchor, position: number): boolean {
    const found = messages.find(({ offset }) => Number(offset) >= known.offset);
    if (found === undefined) {
      // The batch that the anchor stood in comes first. What is left of it shows that the anchor has gone.
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
      // One answer is of one leader: what comes with the anchor goes on behind it.
      const checked = checking;
      if (checking && anchor !== null && !check(messages, anchor, position)) return [];
      // A compressed batch comes whole, also where only its end was asked for.
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
