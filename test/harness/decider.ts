import {
  type AnswerTo,
  type Command,
  type CommandName,
  decide,
} from '../../shared/control/decide/commands.js';
import { evolve } from '../../shared/control/decide/fold.js';
import type { Refusal } from '../../shared/control/domain/command.js';
import { emptyState, type WritableState } from '../../shared/control/domain/state.js';

/** The control plane without a log: each decision is folded at once. */
export interface Decider {
  readonly state: WritableState;
  /** Milliseconds since the epoch; tests change it. */
  now: number;
  do<Name extends CommandName>(command: Command<Name>): AnswerTo<Name>;
  refusal(command: Command): Refusal;
}

export function createDecider(now = Date.parse('2026-11-21T12:00:00Z')): Decider {
  const state = emptyState();
  let drawn = 0;

  function outcomeOf<Name extends CommandName>(command: Command<Name>) {
    drawn += 1;
    const generated = { id: `d${drawn}`, keyId: `k${drawn}`, secret: String(drawn).padStart(43, '0') };
    const result = decide(state, command, { now: decider.now, generated });
    if ('refusal' in result) return result;
    const { events } = result;
    const at = new Date(decider.now).toISOString();
    if (events.length > 0 && !evolve(state, { id: `dec${drawn}`, at, by: 'admin', events }))
      throw new Error(`decided on an outdated version: ${JSON.stringify(events)}`);
    return { answer: result.answer(state) };
  }

  const decider: Decider = {
    state,
    now,
    do(command) {
      const outcome = outcomeOf(command);
      if ('refusal' in outcome) throw new Error(`refused: ${outcome.refusal.detail}`);
      return outcome.answer;
    },
    refusal(command) {
      const outcome = outcomeOf(command);
      if ('answer' in outcome) throw new Error(`not refused: ${command.type}`);
      return outcome.refusal;
    },
  };
  return decider;
}
