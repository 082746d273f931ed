import type { NamesIt } from '../../../shared/requests/naming-address.js';
import type { DetectorCore } from '../core.js';
import { forgetInSignals } from '../signals/forget-address.js';
import { decodeSignals, encodeSignals } from '../signals/signals-codec.js';
import { newWebsiteSignals, type WebsiteSignals } from '../signals/website-signals.js';

/** A website of a partition, in memory. */
export interface TrackedWebsite<State> {
  readonly id: string;
  readonly signals: WebsiteSignals;
  readonly state: State;
  /** Records of the partition before this offset are in it. */
  readonly heldBefore: number;
  /** Offset of the first record that the saved state does not hold; null: it holds all. */
  unsavedFrom: number | null;
  /** Whether anything changed since it was saved. */
  isChanged: boolean;
}

type Codec<State> = Pick<DetectorCore<State>, 'newState' | 'encode' | 'decode'>;

export function newTrackedWebsite<State>(core: Codec<State>, id: string): TrackedWebsite<State> {
  return {
    id,
    signals: newWebsiteSignals(),
    state: core.newState(id),
    heldBefore: 0,
    unsavedFrom: null,
    isChanged: false,
  };
}

/** Lets go of every text that names an address. @returns whether there was any. */
export function forgetInWebsite<State>(
  core: Pick<DetectorCore<State>, 'forgetAddress'>,
  { signals, state }: TrackedWebsite<State>,
  names: NamesIt,
): boolean {
  const ofSignals = forgetInSignals(signals, names);
  return core.forgetAddress(state, names) || ofSignals;
}

/**
 * Longest text that is read, in bytes as the store counts them. No state comes near it (a test makes the longest); a longer one
 * would be more than a read takes.
 */
export const MAX_STATE_BYTES = 8 * 1024 ** 2;

/** The column `state`: a line for the signals, and what the core makes of its own. */
export function encodeTracked<State>(core: Codec<State>, { signals, state }: TrackedWebsite<State>): string {
  return `${encodeSignals(signals)}\n${core.encode(state)}`;
}

/** @throws Error where a part of it is none of this version */
export function decodeTracked<State>(
  core: Codec<State>,
  { websiteId, text, heldBefore }: { websiteId: string; text: string; heldBefore: number },
): TrackedWebsite<State> {
  const end = text.indexOf('\n');
  if (end < 0) throw new Error('the state of a website has one part');
  return {
    id: websiteId,
    signals: decodeSignals(text.slice(0, end)),
    state: core.decode(text.slice(end + 1)),
    heldBefore,
    unsavedFrom: null,
    isChanged: false,
  };
}
