import { describe, expect, test } from 'vitest';
import { freePort } from '../../test/harness/free-port.js';
import { type Host, runService, type ServiceDefinition } from './run.js';

/** A process that only records its events. */
function createHost(environment: Record<string, string> = {}) {
  const exits: number[] = [];
  const errors: string[] = [];
  let handle: (signal: string) => void = () => {};
  let ended: () => void = () => {};
  const exited = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const host: Host = {
    environment: { LOG_LEVEL: 'silent', METRICS_PORT: '0', ...environment },
    nodeVersion: '20.20.2',
    onSignal: (given) => {
      handle = given;
    },
    printError: (line) => void errors.push(line),
    exit(code) {
      exits.push(code);
      ended();
    },
  };
  return { host, exits, errors, exited, signal: () => handle('SIGTERM') };
}

const idle: ServiceDefinition<never> = { name: 'idle', needs: [], start: async () => {} };

describe('a configuration error', () => {
  test('is one line with every missing variable, and exit code 1', async () => {
    const { host, exits, errors } = createHost();
    let started = false;
    await runService(
      {
        name: 'api',
        needs: ['KAFKA_BROKERS', 'CLICKHOUSE_URL'],
        start: async () => {
          started = true;
        },
      },
      host,
    );
    expect(exits).toEqual([1]);
    expect(errors).toEqual([
      'configuration: KAFKA_BROKERS: is needed by api; CLICKHOUSE_URL: is needed by api',
    ]);
    expect(started).toBe(false);
  });

  test('also names an invalid value', async () => {
    const { host, exits, errors } = createHost({ API_PORT: 'eighty' });
    await runService(idle, host);
    expect(exits).toEqual([1]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^configuration: API_PORT: [^\n]+$/);
  });
});

test('a failed start undoes its steps, prints one line and exits with 1', async () => {
  const { host, exits, errors } = createHost();
  const undone: string[] = [];
  await runService(
    {
      ...idle,
      async start({ onStop }) {
        onStop(async () => void undone.push('log'));
        throw new Error('the port is taken');
      },
    },
    host,
  );
  expect([undone, errors, exits]).toEqual([['log'], ['loglane: the port is taken'], [1]]);
});

describe('a signal', () => {
  test('drains from the last part to the first, and then exits with 0', async () => {
    const { host, exits, signal, exited } = createHost();
    const undone: string[] = [];
    let drain: () => void = () => {};
    await runService(
      {
        ...idle,
        async start({ onStop }) {
          onStop(async () => void undone.push('log'));
          onStop(async () => {
            await new Promise<void>((resolve) => {
              drain = resolve;
            });
            undone.push('uploads');
          });
        },
      },
      host,
    );
    signal();
    signal();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([undone, exits]).toEqual([[], []]);
    drain();
    await exited;
    expect([undone, exits]).toEqual([['uploads', 'log'], [0]]);
  });

  test('aborts a waiting start without a failure', async () => {
    const { host, exits, errors, signal, exited } = createHost();
    const undone: string[] = [];
    let begin: () => void = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const running = runService(
      {
        ...idle,
        async start({ onStop, stopping }) {
          onStop(async () => void undone.push('listener'));
          begin();
          await new Promise((_, reject) => stopping.addEventListener('abort', () => reject(stopping.reason)));
        },
      },
      host,
    );
    await begun;
    signal();
    await Promise.all([running, exited]);
    expect([undone, exits, errors]).toEqual([['listener'], [0], []]);
  });

  test('exits with 1 if a part fails to stop, after the others did', async () => {
    const { host, exits, signal, exited } = createHost();
    const undone: string[] = [];
    await runService(
      {
        ...idle,
        async start({ onStop }) {
          onStop(async () => void undone.push('log'));
          onStop(async () => {
            throw new Error('stuck');
          });
        },
      },
      host,
    );
    signal();
    await exited;
    expect([undone, exits]).toEqual([['log'], [1]]);
  });

  test('exits with 1 if draining takes longer than SHUTDOWN_TIMEOUT_MS, once', async () => {
    const { host, exits, signal, exited } = createHost({ SHUTDOWN_TIMEOUT_MS: '100' });
    await runService(
      { ...idle, start: async ({ onStop }) => onStop(() => new Promise<void>(() => {})) },
      host,
    );
    const since = performance.now();
    let twice = false;
    const later = setTimeout(() => {
      twice = true;
    }, 190);
    signal();
    // The timer does not keep a process alive.
    const alive = setInterval(() => {}, 5);
    await exited;
    clearInterval(alive);
    expect(exits).toEqual([1]);
    expect(performance.now() - since).toBeGreaterThanOrEqual(99);
    expect(twice).toBe(false);
    clearTimeout(later);
  });
});

test('METRICS_PORT serves metrics from the start until draining ends', async () => {
  const port = await freePort();
  const { host, signal, exited } = createHost({ METRICS_PORT: String(port) });
  const statusOf = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => null,
    );
  const seen: (number | null)[] = [];
  await runService(
    {
      ...idle,
      async start({ onStop }) {
        seen.push(await statusOf('/metrics'), await statusOf('/healthz'));
        onStop(async () => void seen.push(await statusOf('/metrics')));
      },
    },
    host,
  );
  signal();
  await exited;
  expect([...seen, await statusOf('/metrics')]).toEqual([200, 404, 200, null]);
});

test('a crash exits with 1 at once', async () => {
  const { host, exits } = createHost();
  await runService({ ...idle, start: async ({ onCrash }) => onCrash(new Error('gone')) }, host);
  expect(exits).toEqual([1]);
});

test('a crash while draining lets the other parts drain, and then exits with 1', async () => {
  const { host, exits, signal, exited } = createHost();
  const undone: string[] = [];
  await runService(
    {
      ...idle,
      async start({ onStop, onCrash }) {
        onStop(async () => void undone.push('log'));
        onStop(async () => onCrash(new Error('the store is away')));
      },
    },
    host,
  );
  signal();
  await exited;
  expect([undone, exits]).toEqual([['log'], [1]]);
});
