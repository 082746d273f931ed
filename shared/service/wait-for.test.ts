import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../config.js';
import { waitFor } from './wait-for.js';

const logger = pino({ level: 'silent' });

describe('waiting for a dependency', () => {
  test('retries until it is available', async () => {
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      if (attempts < 3) throw new Error('not yet');
      return 'there';
    };
    const stopping = new AbortController().signal;
    expect(await waitFor('it', attempt, { logger, stopping })).toBe('there');
    expect(attempts).toBe(3);
  });

  test('ends without another attempt when the process stops', async () => {
    const stop = new AbortController();
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      throw new Error('away');
    };
    const waiting = waitFor('it', attempt, { logger, stopping: stop.signal });
    setTimeout(() => stop.abort(), 10);
    await expect(waiting).rejects.toThrow(/abort/i);
    expect(attempts).toBe(1);
  });

  test('does not wait after a configuration error', async () => {
    const attempt = () => Promise.reject(new ConfigError('configuration: wrong'));
    const stopping = new AbortController().signal;
    await expect(waitFor('it', attempt, { logger, stopping })).rejects.toThrow(ConfigError);
  });
});
