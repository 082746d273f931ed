import type { Organisation } from './model.js';
import type { ControlState } from './state.js';

export const DEMO_ORGANISATION = 'Demo organisation';

/** The demo organisation is the first of its log, or there is none. */
export function isDemo(state: ControlState, { id }: Pick<Organisation, 'id'>): boolean {
  const [first] = state.organisations.values();
  return first?.id === id && first.name === DEMO_ORGANISATION;
}
