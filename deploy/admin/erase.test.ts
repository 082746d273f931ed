import { expect, test } from 'vitest';
import { createProgram } from './program.js';

const state = { websites: 1, users: 0, apiKeys: 0, ingestKeys: 0, segments: 0 };
const report = {
  subject: 'w1',
  name: null,
  state,
  entries: 0,
  rows: { requests: 3 },
  records: 0,
  left: { requests: 0, alerts: 0 },
  leftRecords: 0,
  forgotten: true,
  remains: [],
};

async function erase(given: object, ...words: string[]): Promise<{ printed: string; failure: unknown }> {
  const printed: string[] = [];
  const program = createProgram({
    instance: { get: async () => ({}), post: async () => ({ answer: { ...report, ...given } }) },
    print: (text) => printed.push(text),
    urls: { base: 'http://api.example', ingest: 'http://ingest.example/v1/logs' },
    detect: () => Promise.reject(new Error('not asked for')),
  });
  const failure = await program.parseAsync(['erase', 'website', 'w1', ...words], { from: 'user' }).then(
    () => null,
    (error: unknown) => error,
  );
  return { printed: printed.join('\n'), failure };
}

test('a complete erasure prints "erased"', async () => {
  const { printed, failure } = await erase({ complete: true }, '--yes');
  expect(printed).toMatch(/^erased: w1/);
  expect(failure).toBeNull();
});

test('an erasure shows the rows and log records left afterwards', async () => {
  const { printed } = await erase({ complete: true }, '--yes');
  expect(printed).toMatch(/checked afterwards:\ntable +left\nrequests +0\nalerts +0\n0 log records left/);
});

test.each([[['--yes']], [['--yes', '--json']]])(
  'an incomplete erasure fails and asks to repeat the command (%s)',
  async (words) => {
    const { printed, failure } = await erase({ complete: false }, ...words);
    expect(printed).not.toMatch(/^erased:/);
    expect(String(failure)).toMatch('not finished: more data arrived during the erasure; repeat the command');
  },
);

test('an erasure without an answer of a detector asks to repeat the command', async () => {
  const { failure } = await erase({ complete: false, forgotten: false }, '--yes');
  expect(String(failure)).toMatch('not finished: a detector did not answer');
});
