import { expect, test } from 'vitest';
import { createProgram } from './program.js';

const report = { subject: 'w1', rows: { requests: 3 }, records: 0, remains: [] };

async function erase(complete: boolean, ...words: string[]): Promise<{ printed: string; failure: unknown }> {
  const printed: string[] = [];
  const program = createProgram({
    instance: { get: async () => ({}), post: async () => ({ answer: { ...report, complete } }) },
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

test('an erasure that is complete says "erased"', async () => {
  const { printed, failure } = await erase(true, '--yes');
  expect(printed).toMatch(/^erased: w1/);
  expect(failure).toBeNull();
});

test.each([[['--yes']], [['--yes', '--json']]])(
  'an erasure that is not complete fails and says to repeat it (%s)',
  async (words) => {
    const { printed, failure } = await erase(false, ...words);
    expect(printed).not.toMatch(/^erased:/);
    expect(String(failure)).toMatch('not finished: more came while it was erased; repeat it');
  },
);
