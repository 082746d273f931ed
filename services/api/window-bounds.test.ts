import { z } from '@hono/zod-openapi';
import { expect, it } from 'vitest';
import { answerWindow, toAnswerWindow } from '../../shared/reads/answer/windows.js';
import { createTestApi, TEST_NOW, untouchedStore } from '../../test/harness/api.js';
import { websiteRead } from './operation/operation.js';
import { windowParameters } from './operation/parameters.js';
import { resolveWindow } from './operation/resolve-scope.js';

const api = createTestApi({
  reader: untouchedStore,
  operations: [
    websiteRead({
      ...{ id: 'echoWindow', tag: 'Test', path: '/window', summary: 's', description: 'd' },
      query: z.object(windowParameters()),
      answer: z.object({ window: answerWindow }),
      run: async (input, { now }) => ({ window: toAnswerWindow(resolveWindow(input, now)) }),
    }),
  ],
});
const ask = async (start: string, end: string) =>
  (await api).read(`/window?start=${encodeURIComponent(start)}&end=${encodeURIComponent(end)}`);

it.each([
  ['9999-12-31', '9999-12-31', 'start'],
  ['2149-06-06', '2149-06-07', 'end'],
  ['2149-06-06', '2149-06-07T00:00:01Z', 'end'],
  ['1969-12-31', '1970-01-02', 'start'],
  ['0000-01-01', '0000-01-01', 'start'],
  ['1970-01-01T00:00:00+01:00', '1970-01-02', 'start'],
])(
  'a window beyond the days of the columns is refused with its bound: %s to %s',
  async (start, end, field) => {
    const { status, body } = await ask(start, end);
    expect([status, body.detail]).toEqual([
      400,
      expect.stringMatching(new RegExp(`^${field}: .*1970-01-01 to 2149-06-06`)),
    ]);
  },
);

it('the plus sign of an offset may come without its percent-encoding, as a space', async () => {
  const { status, body } = await (await api).read(
    '/window?start=2026-11-01T10:00:00+02:00&end=2026-11-02 12:00',
  );
  expect([status, body.window?.start, body.window?.end]).toEqual([
    200,
    '2026-11-01T08:00:00.000Z',
    '2026-11-02T12:00:00.000Z',
  ]);
});

it.each(['2026-02-30', '2026-02-30T00:00', '2026-02-29T10:00:00Z', '2026-04-31 12:00', '2026-13-01T00:00Z'])(
  'the invalid date %s is refused',
  async (start) => {
    const { status, body } = await ask(start, '2026-11-02');
    expect([status, body.detail]).toEqual([400, expect.stringMatching(/^start: expected an ISO 8601 date/)]);
  },
);

it('the first day is accepted', async () => {
  const { status, body } = await ask('1970-01-01', '1970-01-01');
  expect([status, body.window?.end]).toEqual([200, '1970-01-02T00:00:00.000Z']);
});

it('a window with a later end ends with the current minute, up to the last day of the columns', async () => {
  const { status, body } = await ask('2026-11-01', '2149-06-06');
  const minute = new Date((Math.floor(TEST_NOW / 60_000) + 1) * 60_000).toISOString();
  expect([status, body.window?.start, body.window?.end]).toEqual([200, '2026-11-01T00:00:00.000Z', minute]);
});

it('a window never ends later than requested', async () => {
  const end = new Date(TEST_NOW + 100).toISOString();
  expect((await ask('2026-11-01', end)).body.window?.end).toBe(end);
  const past = new Date(TEST_NOW).toISOString();
  expect((await ask('2026-11-01', past)).body.window?.end).toBe(past);
});

it('a window in the future is refused', async () => {
  const { status, body } = await ask('2149-06-06', '2149-06-06');
  expect([status, body.detail]).toEqual([400, expect.stringMatching(/^start: is in the future/)]);
});

it.each([
  ['GET', '/public/v1/nothing'],
  ['GET', '/nothing'],
  ['PUT', '/public/v1/websites/web_1/window'],
])('caches may not store an error: %s %s', async (method, path) => {
  const { api: app } = await api;
  const response = await app.request(path, { method, headers: { authorization: 'Bearer llapi_x' } });
  expect(response.status).toBeGreaterThanOrEqual(404);
  expect(response.headers.get('cache-control')).toBe('no-store');
});
