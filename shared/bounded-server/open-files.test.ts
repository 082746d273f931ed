import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitConnections, mostOpenFiles } from './open-files.js';

const settings = { API_MAX_CONNECTIONS: 2_048, INGEST_MAX_CONNECTIONS: 8_192 };

it('leaves settings unchanged when enough files may be open', () => {
  expect(fitConnections(settings, 20_000)).toBe(settings);
  expect(fitConnections(settings, Number.POSITIVE_INFINITY)).toBe(settings);
});

it('reserves a quarter of 4,096 files for the log and the store', () => {
  const fitted = fitConnections(settings, 4_096);
  expect(fitted.API_MAX_CONNECTIONS + fitted.INGEST_MAX_CONNECTIONS).toBeLessThanOrEqual(3_072);
  expect(fitted.API_MAX_CONNECTIONS).toBeGreaterThan(600);
});

it('gives each port some connections, but never all files', () => {
  const count = fc.integer({ min: 16, max: 100_000 });
  fc.assert(
    fc.property(count, count, fc.integer({ min: 256, max: 1_000_000 }), (api, ingest, files) => {
      const fitted = fitConnections({ API_MAX_CONNECTIONS: api, INGEST_MAX_CONNECTIONS: ingest }, files);
      const reserved = files - fitted.API_MAX_CONNECTIONS - fitted.INGEST_MAX_CONNECTIONS;
      expect(reserved).toBeGreaterThanOrEqual(Math.min(1_024, Math.floor(files / 2)));
    }),
  );
});

it("reads the process's limit of open files", () => {
  expect(mostOpenFiles()).toBeGreaterThan(0);
});
