import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { configurationTable } from './configuration-table.js';

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'],
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const texts = new Map(documents.map((file) => [file, readFileSync(file, 'utf8')]));

test('configuration.md lists every variable once, with its default and meaning', () => {
  const rows = texts
    .get('docs/configuration.md')!
    .split('\n')
    .filter((line) => /^\| `[A-Z0-9_]+` \|/.test(line));
  expect(rows.toSorted()).toEqual(configurationTable().toSorted());
});

describe('a document for a reader in a hurry is short:', () => {
  it.each([
    ['README.md', 6],
    ['CONTRIBUTING.md', 6],
    ['docs/README.md', 3],
  ])('%s has at most %i KB', (file, most) => {
    expect(Buffer.byteLength(texts.get(file)!)).toBeLessThanOrEqual(most * 1024);
  });
});

test('every document is in the index', () => {
  const index = texts.get('docs/README.md')!;
  const missing = documents
    .filter((file) => /^docs\/[\w-]+\.md$/.test(file) && file !== 'docs/README.md')
    .filter((file) => !index.includes(`](${file.slice('docs/'.length)})`));
  expect(missing).toEqual([]);
});

/** The text without code blocks, in which `#` begins a comment. */
const proseOf = (text: string) => text.replace(/^ *```.*?^ *```/gms, '');

const titlesOf = (file: string) =>
  [...proseOf(texts.get(file)!).matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!);

/** The anchor that GitHub makes from a title. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** Links of a document to sections that do not exist. */
function deadLinks(file: string): string[] {
  const links = [...proseOf(texts.get(file)!).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)];
  return links
    .filter(([, path, anchor]) => {
      const target = path === '' ? file : join(dirname(file), path!);
      return !texts.has(target) || !titlesOf(target).map(anchorOf).includes(anchor!);
    })
    .map(([link]) => `${file}: ${link}`);
}

/** Sections of documents that a text names (like `docs/import.md, "Files"`) and that do not exist. */
function deadSections(file: string, text: string): string[] {
  const prose = text.replace(/\n\s*(?:\*|\/\/|--|#)?\s*/g, ' ');
  return [...prose.matchAll(/(docs\/[\w/-]+\.md|CONTRIBUTING\.md|README\.md),? "([^"]+)"/g)]
    .filter(([, document, title]) => !texts.has(document!) || !titlesOf(document!).includes(title!))
    .map(([reference]) => `${file}: ${reference}`);
}

describe('links and names of sections', () => {
  it('lead from documents to sections that exist', () => {
    expect(documents.flatMap(deadLinks)).toEqual([]);
  });

  it('in code, messages and manifests name sections that exist', () => {
    const files = execFileSync('git', ['grep', '-lE', '\\.md,? "', '--', '*.ts', '*.sql', '*.yaml', '*.md'], {
      encoding: 'utf8',
    });
    const named = files
      .split('\n')
      .filter((name) => name !== '' && name !== 'test/conventions/documents.test.ts')
      .flatMap((name) => deadSections(name, readFileSync(name, 'utf8')));
    expect(named).toEqual([]);
  });

  it('are reported if they are dead', () => {
    expect(deadSections('x.ts', '/** docs/import.md, "No such\n * section" */')).toHaveLength(1);
    expect(deadSections('x.ts', '/** docs/import.md, "Files" */')).toEqual([]);
  });
});

test('every kubectl command names its namespace, or applies files that name it', () => {
  const files = [
    ...documents,
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

test('commands in documents use one set of variables for the address, the keys and the website', () => {
  const used = (form: RegExp) =>
    new Set([...texts.values()].flatMap((text) => [...text.matchAll(form)].map(([, name]) => name)));
  expect(used(/Authorization: Bearer \$(\w+)/g)).toEqual(new Set(['LOGLANE_KEY']));
  expect(used(/\$(\w+)\/public\/v1/g)).toEqual(new Set(['LOGLANE_URL']));
  expect(used(/(?:websites\/|--website "?|schedule remove "?)\$(\w+)/g)).toEqual(
    new Set(['LOGLANE_WEBSITE']),
  );
  expect(used(/X-API-Key: \$(\w+)/g)).toEqual(new Set(['INGEST_KEY']));
  // A name without its $ is sent as it is, and answered 401.
  expect(used(/^.*curl.*[^$\w](INGEST_KEY)\b/gm)).toEqual(new Set());
  expect(used(/(?:curl|access\.log) "\$(\w+)/g)).toEqual(new Set(['INGEST_URL']));
});
