import { describe, expect, it } from 'vitest';
import { answering, runCommandLine } from '../../../test/harness/command-line.js';

const env = { LOGLANE_URL: 'http://loglane.test', LOGLANE_KEY: 'llapi_x', LOGLANE_WEBSITE: 'w1' };

describe('watch', () => {
  const summary = (value: unknown) => answering(() => Response.json({ error_rate_5xx_pct: value }));

  it.each([
    [1.5, 7],
    [1, 0],
    [null, 0],
  ])('a figure of %s over 1 ends with code %i', async (value, exit) => {
    const { fetch, calls } = summary(value);
    const words = ['watch', 'error_rate_5xx_pct', '--fail-over', '1'];
    const { code, stdout } = await runCommandLine(words, { env, fetch });
    expect([code, JSON.parse(stdout).over]).toEqual([exit, exit === 7]);
    expect(calls[0]!.url.searchParams.get('hours')).toBe('1');
  });

  it('counts active incidents of a type', async () => {
    const { fetch, calls } = answering(() =>
      Response.json({ incidents: [{ status: 'active' }, { status: 'cleared' }] }),
    );
    expect((await runCommandLine(['watch', 'error_spike_5xx'], { env, fetch })).code).toBe(7);
    expect(calls[0]!.url.searchParams.get('type')).toBe('error_spike_5xx');
    expect((await runCommandLine(['watch', 'incidents', '--fail-over', '1'], { env, fetch })).code).toBe(0);
  });

  it('refuses another word, and names the figures and the types of alerts', async () => {
    const { fetch, calls } = answering(() => Response.json({ incidents: [] }));
    const { code, stderr } = await runCommandLine(['watch', 'error_rate_5xx'], { env, fetch });
    expect([code, calls.length]).toEqual([2, 0]);
    expect(stderr).toContain('error_rate_5xx_pct');
    expect(stderr).toContain('error_spike_5xx');
    expect(stderr).not.toContain('data_since');
  });
});

describe('schema', () => {
  it('lists the commands, and shows the parameters and the answer of one', async () => {
    const { stdout } = await runCommandLine(['schema']);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ command: 'traffic paths', id: 'getPaths', method: 'GET' }),
    );
    const one = JSON.parse((await runCommandLine(['schema', 'requests', 'search'])).stdout);
    expect(one.parameters).toContainEqual(expect.objectContaining({ flag: '--status-category' }));
    expect(one.schemas.Request.properties).toHaveProperty('user_agent');
    expect((await runCommandLine(['schema', 'no', 'such'])).code).toBe(3);
  });
});

describe('doctor', () => {
  it('reports the instance, the key, the plan, the website, logs and the clock', async () => {
    const now = Date.parse('2026-11-21T12:00:00Z');
    const headers = {
      'x-ratelimit-limit': '2000',
      'x-ratelimit-remaining': '9',
      date: new Date(now - 60_000).toUTCString(),
    };
    const { fetch } = answering(({ url }) => {
      if (url.pathname.endsWith('/billing')) return Response.json({ plan_name: 'Scale' });
      if (url.pathname.endsWith('/setup'))
        return Response.json({ domain: 'a.example', receiving: false, next_steps: ['Send.'] });
      return Response.json({ websites: [] }, { headers });
    });
    const { stdout, code } = await runCommandLine(['doctor'], { env, fetch, now: () => now });
    const verdicts = JSON.parse(stdout).findings.map(
      ({ check, verdict }: Record<string, string>) => `${check} ${verdict}`,
    );
    expect(verdicts).toEqual([
      'versions ok',
      'settings ok',
      'key ok',
      'clock warn',
      'plan ok',
      'website ok',
      'logs warn',
    ]);
    expect(code).toBe(0);
  });

  it('ends with code 1 where the key is refused', async () => {
    const { fetch } = answering(() => Response.json({ detail: 'No.' }, { status: 401 }));
    const { stdout, code } = await runCommandLine(['doctor'], { env, fetch });
    expect([code, stdout.includes('"fail"')]).toEqual([1, true]);
  });
});

describe('help', () => {
  it('of a command is that of --help', async () => {
    const { stdout, code } = await runCommandLine(['help', 'overview']);
    expect({ stdout, code }).toEqual({
      stdout: (await runCommandLine(['overview', '--help'])).stdout,
      code: 0,
    });
    expect((await runCommandLine(['help', 'traffic'])).stdout).toContain('paths');
  });

  it('names the default of a flag or of an argument once', async () => {
    const names = (await namesOfHelp()).concat(await namesOfSchema());
    const twice: string[] = [];
    for (const name of names) {
      const { stdout, code } = await runCommandLine([...name.split(' '), '--help'], { columns: 10_000 });
      expect([name, code]).toEqual([name, 0]);
      expect(stdout).toContain(`Usage: loglane ${name}`);
      twice.push(...stdout.split('\n').filter((line) => /\bdefaults?\b.*\bdefaults?\b/i.test(line)));
    }
    expect(twice).toEqual([]);
  });
});

/** Commands that are no groups of operations. */
async function namesOfHelp(): Promise<string[]> {
  const { stdout } = await runCommandLine(['--help'], { columns: 10_000 });
  const [, lines = ''] = /\nCommands:\n([\s\S]*?)\n {2}help/.exec(stdout) ?? [];
  return lines.split('\n').map((line) => line.trim().split(' ')[0]!);
}

async function namesOfSchema(): Promise<string[]> {
  const { stdout } = await runCommandLine(['schema']);
  return JSON.parse(stdout).map(({ command }: { command: string }) => command);
}
