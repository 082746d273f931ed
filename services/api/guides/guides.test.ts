import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/harness/api.js';
import { guides } from './all-guides.js';
import { pages } from './guide-page.js';
import { readGuide } from './read-guide.js';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi({});
});

const ask = (path: string) => api.request(`/public/v1/docs/${path}`, { key: null });

test('every document of a sender is a guide', () => {
  const files = readdirSync('docs/sources').filter((name) => name !== 'README.md');
  expect(files.map((name) => name.replace('.md', '')).sort()).toEqual([...guides].sort());
});

describe('a guide', () => {
  it.each(pages)('%s is a page that names ingest and links to existing pages', async (guide) => {
    const { status, text } = await ask(`guides/${guide}`);
    expect(status).toBe(200);
    expect(text).not.toMatch(/\bHOST\b/);
    const links = [...text.matchAll(/ href="(?!https:)([^"#]*)(?:#([^"]*))?"/g)];
    expect(links.length).toBeGreaterThan(2);
    for (const [, address, anchor] of links) {
      const url = new URL(address || guide, 'https://api.example/public/v1/docs/guides/');
      const page = await api.request(url.pathname, { key: null });
      expect(page.status, url.href).toBe(200);
      if (anchor) expect(page.text, `${url.pathname}#${anchor}`).toContain(`id="${anchor}"`);
    }
  });

  it('comes as text for tools', async () => {
    const { text, headers } = await ask('guides/nginx.md');
    expect(headers.get('content-type')).toContain('text/markdown');
    expect(text).toMatch(/^# nginx\n/);
    expect(text).toContain('curl "https://ingest.example/v1/logs"');
  });

  it('is linked in the index', async () => {
    const { text } = await ask('guides');
    for (const guide of guides) expect(text).toContain(`href="guides/${guide}"`);
  });

  it('has the address of an installation behind a path and on another port', () => {
    const { markdown } = readGuide('sources/rsyslog.md', 'http://logs.internal:8081/v1/logs');
    expect(markdown).toContain('http://logs.internal:8081/v1/elasticsearch');
  });
});
