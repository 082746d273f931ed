import { insertCallTokens, readTokensOfDay } from '../../../shared/reads/insights/insight-rows.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import type { Completion, LanguageModel, Turn } from '../language-model/language-model.js';

/** The token budget of a website's insights per day. */

/** The next call could exceed the budget of the day. */
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
 * @returns a function that calls the model, as `LanguageModel.complete` does. It first reserves the maximum of the call in the store. If the process is
 * killed or the call gets no answer, the reservation counts as spent.
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

  /** @throws BudgetSpentError before the call; as `LanguageModel.complete`, and as the store */
  return async (turn: Turn, signal: AbortSignal): Promise<Completion> => {
    const most = toMost.of(turn);
    const call = { websiteId, day, callId: newId(), model: model.name };
    await insertCallTokens(clickhouse, { ...call, tokens: most, revision: 0 });
    // Read after the reservation: two processes at the end of the budget may both stop, but none exceeds it.
    if ((await readTokensOfDay(clickhouse, websiteId, day)) > tokensPerDay) {
      await insertCallTokens(clickhouse, { ...call, tokens: 0, revision: 1 });
      throw new BudgetSpentError();
    }
    const completion = await model.complete(turn, signal);
    // A server that counts 0 tokens has not counted.
    const usage = completion.usage?.input
      ? completion.usage
      : { input: model.sizeOf(turn), output: turn.maxTokens };
    toMost.learn(turn, usage.input);
    onTokens(usage);
    await insertCallTokens(clickhouse, { ...call, tokens: usage.input + usage.output, revision: 1 });
    return { ...completion, usage };
  };
}

/**
 * The maximum of tokens that a turn can cost. A token has at least one byte. In a longer conversation, the model's server has counted all but the last
 * messages.
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
