import { rootCertificates } from 'node:tls';
import { describe, expect, it, vi } from 'vitest';
import { kafkaConfig } from './client.js';

const plain = { brokers: ['a:1', 'b:2'], clientId: 'enricher' };

describe('the connection to Kafka', () => {
  it('has no TLS and no login by default', () => {
    const config = kafkaConfig(plain, 5_000);
    expect(config).toMatchObject({ brokers: ['a:1', 'b:2'], clientId: 'enricher', requestTimeout: 5_000 });
    expect(config.ssl).toBeUndefined();
    expect(config.sasl).toBeUndefined();
  });

  it('trusts the public authorities over TLS, and additionally a configured one', () => {
    expect(kafkaConfig({ ...plain, ssl: true }, 1).ssl).toBe(true);
    const { ssl } = kafkaConfig({ ...plain, ssl: true, sslCa: 'PEM' }, 1);
    expect(ssl).toEqual({ ca: [...rootCertificates, 'PEM'] });
    expect(kafkaConfig({ ...plain, sslCa: 'PEM' }, 1).ssl).toBeUndefined();
  });

  it('logs in as configured', () => {
    const sasl = { mechanism: 'scram-sha-512', username: 'u', password: 'p' } as const;
    expect(kafkaConfig({ ...plain, sasl }, 1).sasl).toEqual(sasl);
  });

  it('logs kafkajs’s messages as warnings, without stacks', () => {
    const warn = vi.fn();
    const logger = { warn } as unknown as NonNullable<Parameters<typeof kafkaConfig>[0]['logger']>;
    const write = kafkaConfig({ ...plain, logger }, 1).logCreator!(0);
    write({
      namespace: 'Connection',
      level: 1,
      label: 'ERROR',
      log: { timestamp: 't', message: 'no answer', broker: 'a:1', stack: 's' },
    });
    expect(warn.mock.calls).toEqual([
      [{ kafka: { namespace: 'Connection', broker: 'a:1' } }, 'kafkajs: no answer'],
    ]);
  });

  it('logs three repeated warnings a minute while the brokers are unavailable', () => {
    const warn = vi.fn();
    const logger = { warn } as unknown as NonNullable<Parameters<typeof kafkaConfig>[0]['logger']>;
    const entry = { namespace: 'Connection', level: 1, label: 'ERROR' };
    const log = { timestamp: 't', message: 'Connection error' };
    for (let client = 0; client < 3; client += 1) {
      const write = kafkaConfig({ ...plain, logger }, 1).logCreator!(0);
      for (let time = 0; time < 50; time += 1) write({ ...entry, log });
    }
    // A minute may end in between.
    expect(warn.mock.calls.length).toBeLessThanOrEqual(7);
  });
});
