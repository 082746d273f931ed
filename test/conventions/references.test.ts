import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Comments and documents refer to existing files (by path), sections of ARCHITECTURE.md (by title) and names of the code. */

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => name !== '' && existsSync(name));
const names = new Set(tracked);

/** Text with references: the whole document, or the comments of code, each in one line. */
function proseOf(file: string, text: string): string {
  if (file.endsWith('.md')) return text;
  const comments = file.endsWith('.sql') ? /--[^\n]*/g : /\/\*\*?[\s\S]*?\*\/|(?<![:'"`\w])\/\/[^\n]*/g;
  return (text.match(comments) ?? []).join('\n').replace(/\n[ \t]*\*/g, '\n');
}

const PATH =
  /(?<![\w/.:@$<{}…*-])(?:\.{1,2}\/)?(?:[\w.-]+\/)*\w[\w.-]*\.(?:ts|mjs|sql|md|avsc)\b(?![\w/*<…-])/g;

/** Names that are placeholders for many files. */
const PLACEHOLDERS = new Set(['NNNN_name.sql']);

/** A reference is relative to the root, to the file's folder or to one above it, or is the end of an existing path. */
function exists(reference: string, file: string): boolean {
  const path = reference.replace(/\.js$/, '.ts');
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (names.has(join(folder, path))) return true;
    if (folder === '.') break;
  }
  return tracked.some((name) => name.endsWith(`/${path}`));
}

/** References of one file to missing files. */
function deadPaths(file: string, text: string): string[] {
  const references = proseOf(file, text).match(PATH) ?? [];
  return [...new Set(references)]
    .filter((reference) => !PLACEHOLDERS.has(reference) && !exists(reference, file))
    .map((reference) => `${file}: ${reference}`);
}

const architecture = readFileSync('ARCHITECTURE.md', 'utf8');
const titles = new Set([...architecture.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!));

/** References of one file to missing sections of ARCHITECTURE.md. */
function deadSections(file: string, text: string): string[] {
  const prose = proseOf(file, text).replace(/\s+/g, ' ');
  return [...prose.matchAll(/ARCHITECTURE\.md,? "([^"]+)"/g)]
    .map(([, title]) => title!)
    .filter((title) => !titles.has(title))
    .map((title) => `${file}: ARCHITECTURE.md "${title}"`);
}

/** Text of comments, in which `//` after a quote or a colon is data. */
const COMMENTS = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/[^\n]*/g;
const WORD = /[A-Za-z_$][\w$]*/g;
/** A name of code in a comment: in backticks or a link, with more than one word. A single word may be a value or a field of a customer's log. */
const NAME = /`([a-z]+[A-Z]\w*|[A-Z][A-Z\d]*_[A-Z\d_]+)`|\{@link (\w+)\}/g;

/** Names of Node and of log fields that the code does not use. */
const FOREIGN_NAMES = new Set(['httpMethod_s', 'readUIntBE', 'requestTime']);

const words = new Set(
  tracked
    .filter((name) => /\.(ts|tsx|mjs|cjs|sql|json|yaml|avsc|xml)$/.test(name))
    .flatMap((name) => readFileSync(name, 'utf8').replace(COMMENTS, '').match(WORD) ?? []),
);

/** Names in the comments of a file that no code has. */
function deadNames(file: string, text: string): string[] {
  const comments = (text.match(COMMENTS) ?? []).join('\n');
  return [...comments.matchAll(NAME)]
    .map(([, quoted, linked]) => quoted ?? linked!)
    .filter((name) => !words.has(name) && !FOREIGN_NAMES.has(name))
    .map((name) => `${file}: ${name}`);
}

const texts = tracked
  .filter((name) => /\.(ts|mjs|cjs|sql|md)$/.test(name) && name !== 'test/conventions/references.test.ts')
  .map((name) => [name, readFileSync(name, 'utf8')] as const);

describe('references in comments and documents', () => {
  it('name existing files', () => {
    expect(texts.flatMap(([file, text]) => deadPaths(file, text))).toEqual([]);
  });

  it('name existing sections of ARCHITECTURE.md', () => {
    expect(texts.flatMap(([file, text]) => deadSections(file, text))).toEqual([]);
  });

  it('name code that exists', () => {
    expect(
      texts.filter(([file]) => file.endsWith('.ts')).flatMap(([file, text]) => deadNames(file, text)),
    ).toEqual([]);
  });

  it('to names are reported if they are dead', () => {
    const code = `/** Closes at \`ends${'AtRows'}\`, {@link Gone${'Away'}} or \`mostRows\`. */ // not \`left\``;
    expect(deadNames('shared/x.ts', code)).toEqual([
      `shared/x.ts: ends${'AtRows'}`,
      `shared/x.ts: Gone${'Away'}`,
    ]);
  });

  it('are read only from comments, across line ends, and reported if dead', () => {
    const code =
      '/** See gone/away.ts and\n * ARCHITECTURE.md "No such\n * section". */\nconst x = \'other/file.ts\'; // or lost.ts\n';
    expect(deadPaths('shared/x.ts', code)).toEqual(['shared/x.ts: gone/away.ts', 'shared/x.ts: lost.ts']);
    expect(deadSections('shared/x.ts', code)).toEqual(['shared/x.ts: ARCHITECTURE.md "No such section"']);
    expect(deadPaths('shared/x.ts', '// config.ts, README.md, shared/logging/log.ts')).toEqual([]);
    expect(deadSections('shared/x.ts', '// ARCHITECTURE.md "The way of a write"')).toEqual([]);
  });
});
