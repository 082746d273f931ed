import { expect, it } from 'vitest';
import { answering, runCommandLine } from '../../../test/harness/command-line.js';

const env = { LOGLANE_URL: 'http://loglane.test', LOGLANE_KEY: 'llapi_x', LOGLANE_WEBSITE: 'w1' };

/** A terminal on which these keys are pressed, each after a read. */
function keyboard(keys: readonly string[]) {
  return {
    isTTY: true,
    async *[Symbol.asyncIterator]() {
      for (const key of keys) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        yield key;
      }
    },
  };
}

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds / 10));

it('draws the rows, filters paths by the chosen bot, and leaves the terminal as it was', async () => {
  const { fetch, calls } = answering(({ url }) =>
    url.pathname.endsWith('/bots')
      ? Response.json({
          bots: [
            { bot_name: 'Googlebot', requests: 5 },
            { bot_name: 'GPT\u001b[2JBot', requests: 3 },
          ],
        })
      : Response.json({ paths: [{ path: '/a', requests: 2 }] }),
  );
  const { code, stdout } = await runCommandLine(['top', '--by', 'bot'], {
    ...{ env, fetch, isTerminal: true, sleep: pause },
    stdin: keyboard(['j', 'k', '\r', 'v', 'q']),
  });
  expect(code).toBe(0);
  expect(stdout).toContain('> Googlebot');
  expect(stdout).toContain('GPTBot');
  expect(stdout).not.toContain('\u001b[2J');
  expect(stdout).toContain('[bot: Googlebot]');
  expect(calls.at(-1)!.url.search).toContain('bot=Googlebot');
  expect(calls.some(({ url }) => url.searchParams.get('bot_verified') === 'true')).toBe(true);
  expect(stdout.endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
});

it('needs a terminal', async () => {
  expect(await runCommandLine(['top'], { env })).toMatchObject({ code: 2, stdout: '' });
});
