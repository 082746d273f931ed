import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { findNamedSource } from '../../services/ingest/records/detect-source.js';
import type { RawRequest } from '../../shared/requests/raw-request.js';
import { takeBody } from '../harness/ingest/take-body.js';

/** In the samples of every source, clients write other user agents and referrers: nothing but these fields may change. */

const folder = new URL('.', import.meta.url);
const NOW = Date.parse('2026-03-01T00:00:00Z');
const cases = readdirSync(folder, { withFileTypes: true })
  .filter((source) => source.isDirectory())
  .flatMap(({ name }) => readdirSync(new URL(`${name}/`, folder)).map((one) => `${name}/${one}`));

/** Texts that a source could take for an address, a host, a time or a number. */
const hostileTexts = [
  '198.51.100.77',
  '198.51.100.77,203.0.113.77',
  '2001:db8::77',
  'evil.example.net',
  'https://evil.example.net/',
  'host=evil.example.net',
  '86400.5',
  'rt=86400.5',
  'D=86400000',
  '86400ms',
  '2020-01-01T00:00:00Z',
  '[01/Jan/2020:00:00:00',
  '-',
  'GET',
  '404',
];

const withoutTexts = (request: RawRequest) => ({ ...request, user_agent: '', referrer: '' });

it.each(cases)('%s', (name) => {
  const directory = new URL(`${name}/`, folder);
  const file = readdirSync(directory).find((entry) => entry.startsWith('input.'))!;
  const sent = readFileSync(new URL(file, directory));
  const body = (file.endsWith('.gz') ? gunzipSync(sent) : sent).toString('latin1');
  const { query = '' } = JSON.parse(readFileSync(new URL('expected.json', directory), 'utf8'));
  const take = (text: string) =>
    takeBody(Buffer.from(text, 'latin1'), {
      source: findNamedSource(new URLSearchParams(query)),
      now: NOW,
      upload: { headers: {}, query: new URLSearchParams(query) },
    });
  const usual = take(body);
  const texts = new Set(usual.requests.flatMap(({ user_agent, referrer }) => [user_agent, referrer]));
  const written = [...texts].filter((text) => text.includes('/') && body.includes(text));
  for (const text of written) {
    for (const hostile of hostileTexts) {
      const { requests, tally } = take(body.replaceAll(text, hostile));
      const changed = requests.map(withoutTexts);
      expect(tally.parsed + tally.rejected + tally.skipped).toBe(
        usual.tally.parsed + usual.tally.rejected + usual.tally.skipped,
      );
      // A line in doubt is rejected; one that is read has its own address, host and time.
      const allowed = usual.requests.map((request) => JSON.stringify(withoutTexts(request)));
      for (const request of changed) expect(allowed).toContain(JSON.stringify(request));
    }
  }
});
