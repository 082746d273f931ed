import { describe, expect, test } from 'vitest';
import { createDecider } from '../../../test/harness/decider.js';
import { LONGEST_LINK_MS } from '../../files/file-store.js';
import { countedAttempts } from '../aggregates/attempts.js';
import { versionOf } from '../domain/state.js';
import { EXPORT_KEPT_MS, expiryOf, exportsOf, MOST_OPEN_EXPORTS } from './export.js';

const file = { key: 'web/exports/exp/paths.csv', rows: 3, bytes: 99, sha256: 'ab' };

function world() {
  const decider = createDecider();
  const organisation = decider.do({ type: 'createOrganisation', name: 'Shop', planId: 'scale' });
  const { website } = decider.do({
    type: 'createWebsite',
    organisationId: organisation.id,
    domain: 'shop.example',
  });
  const request = (apiKeyId = 'key_1', userId: string | null = null) =>
    decider.do({
      type: 'requestExport',
      websiteId: website.id,
      apiKeyId,
      userId,
      exportType: 'paths',
      notify: true,
      filters: '{}',
      question: '{}',
      description: 'Paths',
    });
  return { decider, organisation, website, request };
}

test('an export goes from pending through processing to completed, with its file', () => {
  const { decider, request } = world();
  const { id, status, attempts } = request();
  expect({ status, attempts }).toEqual({ status: 'pending', attempts: 0 });
  expect(decider.do({ type: 'startExport', exportId: id, attemptsBefore: 0 })).toMatchObject({
    status: 'processing',
    attempts: 1,
  });
  const done = decider.do({ type: 'completeExport', exportId: id, attempt: 1, file });
  expect(done).toMatchObject({ status: 'completed', file, completedAt: '2026-11-21T12:00:00.000Z' });
  expect(expiryOf(done)).toBe(decider.now + EXPORT_KEPT_MS);
});

describe('of several workers on one export', () => {
  test('one starts an attempt', () => {
    const { decider, request } = world();
    const { id } = request();
    decider.do({ type: 'startExport', exportId: id, attemptsBefore: 0 });
    expect(decider.refusal({ type: 'startExport', exportId: id, attemptsBefore: 0 }).code).toBe('conflict');
  });

  test('one that lost its attempt completes nothing', () => {
    const { decider, request } = world();
    const { id } = request();
    decider.do({ type: 'startExport', exportId: id, attemptsBefore: 0 });
    decider.do({ type: 'startExport', exportId: id, attemptsBefore: 1 });
    expect(decider.refusal({ type: 'completeExport', exportId: id, attempt: 1, file }).code).toBe('conflict');
    expect(
      decider.refusal({ type: 'failExport', exportId: id, attempt: 1, reason: 'r', retryAt: null }).code,
    ).toBe('conflict');
    decider.do({ type: 'completeExport', exportId: id, attempt: 2, file });
    expect(decider.refusal({ type: 'completeExport', exportId: id, attempt: 2, file }).code).toBe('conflict');
  });

  test('none completes a cancelled one', () => {
    const { decider, request } = world();
    const { id } = request();
    decider.do({ type: 'startExport', exportId: id, attemptsBefore: 0 });
    expect(decider.do({ type: 'cancelExport', exportId: id }).status).toBe('cancelled');
    expect(decider.refusal({ type: 'completeExport', exportId: id, attempt: 1, file }).code).toBe('conflict');
    expect(decider.refusal({ type: 'cancelExport', exportId: id }).detail).toBe(
      'the export is cancelled already',
    );
  });
});

test('a returned attempt does not count, once, even if the next owner has started one', () => {
  const { decider, request } = world();
  const { id } = request();
  decider.do({ type: 'startExport', exportId: id, attemptsBefore: 0 });
  decider.do({ type: 'startExport', exportId: id, attemptsBefore: 1 });
  const late = decider.do({ type: 'returnExport', exportId: id, attempt: 1 });
  expect(late).toMatchObject({ status: 'processing', attempts: 2, returned: [1] });
  expect(countedAttempts(late)).toBe(1);
  expect(decider.refusal({ type: 'returnExport', exportId: id, attempt: 1 }).code).toBe('conflict');
  expect(decider.refusal({ type: 'returnExport', exportId: id, attempt: 3 }).code).toBe('conflict');
  decider.do({
    type: 'failExport',
    exportId: id,
    attempt: 2,
    reason: 'r',
    retryAt: '2026-11-21T12:01:00.000Z',
  });
  expect(decider.refusal({ type: 'returnExport', exportId: id, attempt: 2 }).code).toBe('conflict');
});

test('a failed attempt is retried, and the last failure is reported', () => {
  const { decider, request } = world();
  const { id } = request();
  decider.do({ type: 'startExport', exportId: id, attemptsBefore: 0 });
  const retryAt = '2026-11-21T12:01:00.000Z';
  expect(decider.do({ type: 'failExport', exportId: id, attempt: 1, reason: 'away', retryAt })).toMatchObject(
    { status: 'pending', notBefore: retryAt, error: null },
  );
  decider.do({ type: 'startExport', exportId: id, attemptsBefore: 1 });
  expect(
    decider.do({ type: 'failExport', exportId: id, attempt: 2, reason: 'too much', retryAt: null }),
  ).toMatchObject({ status: 'failed', error: 'too much' });
});

test('an expired export only leaves its website’s version in the state', () => {
  const { decider, website, request } = world();
  const { id } = request();
  expect(decider.refusal({ type: 'expireExport', exportId: id }).code).toBe('conflict');
  decider.do({ type: 'cancelExport', exportId: id });
  decider.do({ type: 'expireExport', exportId: id });
  decider.do({ type: 'expireExport', exportId: id });
  expect(decider.state.exports.size).toBe(0);
  expect([...decider.state.versions.keys()].filter((key) => key.startsWith('export'))).toEqual([
    `export_list/${website.id}`,
  ]);
  expect(versionOf(decider.state, 'export_list', website.id)).toBe(3);
});

test('open exports of a website are bounded', () => {
  const { decider, website, request } = world();
  for (let count = 0; count < MOST_OPEN_EXPORTS; count++) request();
  expect(
    decider.refusal({
      type: 'requestExport',
      websiteId: website.id,
      apiKeyId: 'key_1',
      userId: null,
      exportType: 'paths',
      notify: false,
      filters: '{}',
      question: '{}',
      description: '',
    }),
  ).toMatchObject({ code: 'conflict', reason: 'too_many_open_exports' });
});

test('an organisation with too many bytes of files, on any website, gets no further one', () => {
  const { decider, organisation, request } = world();
  const { id } = request();
  decider.do({ type: 'startExport', exportId: id, attemptsBefore: 0 });
  decider.do({ type: 'completeExport', exportId: id, attempt: 1, file });
  const other = decider.do({
    type: 'createWebsite',
    organisationId: organisation.id,
    domain: 'other.example',
  });
  const asked = {
    type: 'requestExport',
    websiteId: other.website.id,
    apiKeyId: 'key_1',
    userId: null,
    exportType: 'paths',
    notify: false,
    filters: '{}',
    question: '{}',
    description: '',
  } as const;
  expect(decider.refusal({ ...asked, mostKeptBytes: file.bytes })).toMatchObject({
    code: 'conflict',
    reason: 'too_many_export_bytes',
  });
  expect(decider.do({ ...asked, mostKeptBytes: file.bytes + 1 }).status).toBe('pending');
});

test('a caller sees the exports of all keys of its user, and no others', () => {
  const { decider, website, request } = world();
  const ids = [request('key_1', 'usr_1'), request('key_2', 'usr_1'), request('key_3', null)].map(
    ({ id }) => id,
  );
  const own = (id: string, userId: string | null) =>
    exportsOf(decider.state, website.id, { id, userId }).map((each) => each.id);
  expect(own('key_2', 'usr_1')).toEqual([ids[1], ids[0]]);
  expect(own('key_3', null)).toEqual([ids[2]]);
  expect(own('key_4', null)).toEqual([]);
});

test('erasing a website or a user removes their exports', () => {
  const { decider, organisation, website, request } = world();
  const user = decider.do({ type: 'addUser', organisationId: organisation.id, email: 'a@shop.example' });
  request('key_1', user.id);
  const kept = request('key_3', null);
  decider.do({ type: 'eraseUser', userId: user.id });
  expect([...decider.state.exports.values()].map(({ id }) => id)).toEqual([kept.id]);
  decider.do({ type: 'eraseWebsite', websiteId: website.id });
  expect(decider.state.exports.size).toBe(0);
});

test('a link is valid as long as its file', () => {
  expect(EXPORT_KEPT_MS).toBeLessThanOrEqual(LONGEST_LINK_MS);
});
