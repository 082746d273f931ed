import { insertCallTokens, readTokensOfDay } from '../../../shared/reads/insights/insight-rows.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import type { Completion, LanguageModel, Turn } from '../language-model/language-model.js';

/** What the insights of one website may take on a day. */

/** The rest of the day's budget could be passed by the next call. */
export class BudgetSpentError extends Error {
  constructor() {
    super('the budget of the day could be passed');
    this.name = 'BudgetSpentError';
  }
}

export interface BudgetOptions {
  readonly clickhouse: ClickHouse;
  readonly model: LanguageModel;
  readonly websiteId: string;
  /** UTC, `2026-11-22`. */
  readonly day: string;
  readonly tokensPerDay: number;
  readonly newId: () => string;
  readonly onTokens: (tokens: { readonly input: number; readonly output: number }) => void;
}

/**
 * @returns what asks the model, as `LanguageModel.complete` does. The most that a call can take is set aside in the store first: a killed process, or a call whose answer
 * never came, has taken that much.
 */
export function withinBudget({
  clickhouse,
  model,
  websiteId,
  day,
  tokensPerDay,
  newId,
  onTokens,
}: BudgetOptions) {
  const toMost = createEstimate(model);

  /** @throws BudgetSpentError before the call; as `LanguageModel.complete`, and as the store. */
  return async (turn: Turn, signal: AbortSignal): Promise<Completion> => {
    const most = toMost.of(turn);
    const call = { websiteId, day, callId: newId(), model: model.name };
    await insertCallTokens(clickhouse, { ...call, tokens: most, revision: 0 });
    // Read after it was set aside: of two processes that come to the end of the budget at once both may stop, and none goes beyond.
    if ((await readTokensOfDay(clickhouse, websiteId, day)) > tokensPerDay) {
      await insertCallTokens(clickhouse, { ...call, tokens: 0, revision: 1 });
      throw new BudgetSpentError();
    }
    const told = await model.complete(turn, signal);
    // A server that counts nothing has not told.
    const usage = told.usage?.input ? told.usage : { input: model.sizeOf(turn), output: turn.maxTokens };
    toMost.learn(turn, usage.input);
    onTokens(usage);
    await insertCallTokens(clickhouse, { ...call, tokens: usage.input + usage.output, revision: 1 });
    return { ...told, usage };
  };
}

/**
 * The most tokens that a turn can take. A token is a byte at least; of a conversation that has gone on, the model's server has counted all but
 * the last messages.
 */
function createEstimate(model: LanguageModel) {
  let counted: { readonly bytes: number; readonly tokens: number } | null = null;
  return {
    of(turn: Turn): number {
      const bytes = model.sizeOf(turn);
      const input = counted === null ? bytes : counted.tokens + Math.max(0, bytes - counted.bytes);
      return input + turn.maxTokens;
    },
    learn(turn: Turn, tokens: number): void {
      counted = { bytes: model.sizeOf(turn), tokens };
    },
  };
}
