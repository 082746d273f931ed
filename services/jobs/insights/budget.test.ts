import { expect, test } from 'vitest';
import type { ClickHouse, InsertOptions } from '../../../shared/store/client.js';
import type { Completion, LanguageModel, Turn } from '../language-model/language-model.js';
import { ModelError } from '../language-model/language-model.js';
import { BudgetSpentError, withinBudget } from './budget.js';

const signal = new AbortController().signal;
const turnOf = (bytes: number): Turn => ({
  messages: [{ role: 'user', content: 'x'.repeat(bytes) }],
  ...{ tools: [], mayCallTools: true, maxTokens: 100 },
});

function sumOfNewest(rows: readonly { readonly call_id: string; readonly tokens: number }[]): number {
  const newest = new Map(rows.map(({ call_id, tokens }) => [call_id, tokens]));
  return [...newest.values()].reduce((sum, tokens) => sum + tokens, 0);
}

/** @param answers the results of the model's calls, in order. @param spent tokens of earlier runs of the day */
function budget(tokensPerDay: number, answers: readonly (Completion['usage'] | Error)[], spent = 0) {
  const rows: { call_id: string; tokens: number; revision: number }[] = [];
  const counted: object[] = [];
  let [calls, ids] = [0, 0];
  const clickhouse = {
    // By revision, as the store sums.
    read: async () => [{ tokens: spent + sumOfNewest(rows) }],
    insert: async ({ rows: lines }: InsertOptions) => void rows.push(JSON.parse(lines.toString())),
  } as unknown as ClickHouse;
  const model: LanguageModel = {
    name: 'm',
    sizeOf: ({ messages }) => messages.reduce((sum, { content }) => sum + content.length, 0),
    async complete() {
      const usage = answers[calls++]!;
      if (usage instanceof Error) throw usage;
      return { content: '', toolCalls: [], isCut: false, usage };
    },
  };
  const ask = withinBudget({
    ...{ clickhouse, model, websiteId: 'web_1', day: '2026-11-22', tokensPerDay },
    newId: () => `c${ids++}`,
    onTokens: (tokens) => counted.push(tokens),
  });
  const kept = () => rows.map(({ call_id, tokens, revision }) => [call_id, tokens, revision]);
  return { ask, kept, counted, calls: () => calls };
}

test('the maximum of a call is reserved before it, and its real tokens replace the reservation', async () => {
  const { ask, kept, counted } = budget(10_000, [{ input: 300, output: 20 }]);
  await ask(turnOf(1_000), signal);
  expect(kept()).toEqual([
    ['c0', 1_100, 0],
    ['c0', 320, 1],
  ]);
  expect(counted).toEqual([{ input: 300, output: 20 }]);
});

test('a call that could exceed the budget is not made, and its reservation is released', async () => {
  const { ask, kept, calls } = budget(2_000, [], 901);
  await expect(ask(turnOf(1_000), signal)).rejects.toThrow(BudgetSpentError);
  expect(calls()).toBe(0);
  expect(kept()).toEqual([
    ['c0', 1_100, 0],
    ['c0', 0, 1],
  ]);
  await expect(budget(2_000, [null], 900).ask(turnOf(1_000), signal)).resolves.toBeDefined();
});

test('in a longer conversation only new messages count by their bytes', async () => {
  const { ask, kept } = budget(10_000, [
    { input: 250, output: 10 },
    { input: 300, output: 10 },
  ]);
  await ask(turnOf(1_000), signal);
  await ask(turnOf(1_200), signal);
  expect(kept()[2]).toEqual(['c1', 250 + 200 + 100, 0]);
});

test('a failed call, and one without a token count, cost the maximum', async () => {
  const { ask, kept } = budget(10_000, [null, new ModelError('timeout')]);
  await ask(turnOf(1_000), signal);
  await expect(ask(turnOf(2_000), signal)).rejects.toThrow(ModelError);
  expect(kept()).toEqual([
    ['c0', 1_100, 0],
    ['c0', 1_100, 1],
    ['c1', 2_100, 0],
  ]);
});

test('a token count of 0 counts as missing', async () => {
  const { ask, kept } = budget(10_000, [{ input: 0, output: 0 }]);
  await ask(turnOf(1_000), signal);
  expect(kept()[1]).toEqual(['c0', 1_100, 1]);
});
