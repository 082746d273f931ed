import { expect, it } from 'vitest';
import { answering, runCommandLine } from '../../../test/harness/command-line.js';
import { keysOf, picture, press, type Screen } from './screen.js';

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

it('shows the figures first, follows the chosen row, and takes keys that come at once', () => {
  const rows = Array.from({ length: 30 }, (_, at) => ({
    ...{ bot_name: `bot-${at}`, bot_variant: '', bot_family: 'A family', bot_operator: 'An operator' },
    ...{ bot_category: 'ai', requests: 1_000 - at, share_pct: 1 },
  }));
  let screen: Screen | null = { by: 'bot', selected: 0, verified: false, filters: {} };
  for (const key of keysOf(`${'j'.repeat(19)}\u001b[B\u001b[Bk`)) screen = press(key, screen!, rows);
  expect(screen).toMatchObject({ selected: 20 });
  const lines = picture(screen!, rows, { width: 40, height: 10, colour: false, note: '' }).split('\n');
  expect(lines[1]).toMatch(/bot_name +requests/);
  expect(lines.filter((line) => line.startsWith('> '))).toEqual([expect.stringMatching(/^> bot-20 +980/)]);
  expect(lines).toHaveLength(10);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  expect(lines.at(-1)).toMatch(/^q quit/);
  const fewer = picture(screen!, rows.slice(0, 2), { width: 40, height: 10, colour: false, note: '' });
  expect(fewer).toContain('> bot-1');
});

it('ends with its exit code where the key is refused, and lets go of the keyboard', async () => {
  const { fetch } = answering(() => Response.json({ detail: 'Invalid API key.' }, { status: 401 }));
  let isOpen = true;
  const stdin = {
    ...keyboard([]),
    destroy: () => {
      isOpen = false;
    },
  };
  const { code, stdout, stderr } = await runCommandLine(['top'], { env, fetch, isTerminal: true, stdin });
  expect([code, stderr, isOpen]).toEqual([4, 'loglane: Invalid API key.\n', false]);
  expect(stdout.endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
});

it('needs a terminal', async () => {
  expect(await runCommandLine(['top'], { env })).toMatchObject({ code: 2, stdout: '' });
});
