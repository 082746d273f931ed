import { expect, test } from 'vitest';
import type { Export } from '../../../../shared/control/domain/model.js';
import { exportEmail } from './export-email.js';

const failed = {
  id: 'exp_1',
  exportType: 'url-pattern-urls',
  description: 'URLs of a pattern',
  createdAt: '2026-11-21T12:00:00.000Z',
  completedAt: '2026-11-21T12:01:00.000Z',
  file: null,
  error: 'No URL has the pattern.',
} as Export;

test('the mail about a failed export has the title of its type and no link', () => {
  const { subject, text, html } = exportEmail(failed, { domain: 'shop.example' } as never, null);
  expect(subject).toBe('shop.example: URLs of a pattern (url-pattern-urls) not exported');
  expect(text).toContain('No URL has the pattern.');
  expect(text + html).not.toContain('The address in it');
});

test('the mail about a completed export has the link and names who can open it', () => {
  const file = { key: 'k/f.csv', rows: 1, bytes: 1, sha256: 'ab' };
  const link = 'https://api.example/file';
  const { text } = exportEmail({ ...failed, error: null, file }, { domain: 'shop.example' } as never, link);
  expect(text).toContain(link);
  expect(text).toContain('The link in it opens the file');
});
