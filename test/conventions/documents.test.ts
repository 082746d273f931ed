import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configurationTable } from './configuration-table.js';

test('the README lists every configuration variable with its default and meaning', () => {
  const rows = readFileSync('README.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| `[A-Z0-9_]+` \|/.test(line));
  expect(rows).toEqual(configurationTable());
});

test('every kubectl command that is told says in which namespace, or applies what says so itself', () => {
  const files = [
    'README.md',
    ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
    ...readdirSync('deploy/kubernetes', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => `deploy/kubernetes/${name}`),
  ];
  const commands = files.flatMap(
    (file) => readFileSync(file, 'utf8').match(/kubectl (?:-n \S+ )?[a-z]+[^`\n]*/g) ?? [],
  );
  expect(commands.length).toBeGreaterThan(5);
  expect(
    commands.filter((command) => !/^kubectl (-n loglane |apply -k|create namespace )/.test(command)),
  ).toEqual([]);
});

test('documents name the address, the keys and the website in commands by one set of variables', () => {
  const files = [
    'README.md',
    ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const used = (form: RegExp) =>
    new Set(texts.flatMap((text) => [...text.matchAll(form)].map(([, name]) => name)));
  expect(used(/Authorization: Bearer \$(\w+)/g)).toEqual(new Set(['LOGLANE_KEY']));
  expect(used(/\$(\w+)\/public\/v1/g)).toEqual(new Set(['LOGLANE_URL']));
  expect(used(/(?:websites\/|--website "?|schedule remove "?)\$(\w+)/g)).toEqual(
    new Set(['LOGLANE_WEBSITE']),
  );
  expect(used(/X-API-Key: \$(\w+)/g)).toEqual(new Set(['INGEST_KEY']));
  // A name without its $ is sent as it stands, and answered 401.
  expect(used(/^.*curl.*[^$\w](INGEST_KEY)\b/gm)).toEqual(new Set());
  expect(used(/(?:curl|access\.log) "\$(\w+)/g)).toEqual(new Set(['INGEST_URL']));
});
