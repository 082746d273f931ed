import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../deploy/cli/cli-error.js';
import { groupOf } from '../../deploy/cli/table/command-names.js';
import { operationTable, runCommandLine } from '../harness/command-line.js';

/** docs/command-line.md names the commands, flags and exit codes that there are, and no others. */

const text = readFileSync('docs/command-line.md', 'utf8');
const others = readFileSync('docs/import.md', 'utf8');

/** The document's tables, each row with the text of its first cell. */
const rowsOf = (section: string) =>
  text
    .split(/^## /m)
    .find((part) => part.startsWith(`${section}\n`))!
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:command|option|code) \|/.test(line))
    .map((line) => line.split('|')[1]!.trim());

const helpOf = async (words: readonly string[]) =>
  (await runCommandLine([...words, '--help'], { columns: 10_000 })).stdout;

/** Lines of a part of a help, without their indent. */
function linesOf(help: string, part: string): string[] {
  const [, lines = ''] = new RegExp(`\\n${part}:\\n((?: {2}.*\\n?)+)`).exec(help) ?? [];
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.trim());
}

const flagsOf = (help: string, part: string) => linesOf(help, part).map((line) => /--[\w-]+/.exec(line)![0]);

let commands: string[];
let globalFlags: string[];
/** By command: its own flags. */
let flags: Map<string, string[]>;

beforeAll(async () => {
  const help = await helpOf([]);
  commands = linesOf(help, 'Commands').map((line) => line.split(' ')[0]!);
  globalFlags = flagsOf(help, 'Options');
  flags = new Map();
  for (const command of commands)
    if (command !== 'help')
      flags.set(
        command,
        flagsOf(await helpOf([command]), 'Options').filter((flag) => flag !== '--help'),
      );
});

/** Words of code: everything in backquotes or in a block. */
const code = [...text.matchAll(/```.*?```|`[^`\n]+`/gs)].map(([words]) => words).join('\n');

describe('the document', () => {
  it('has each command, and no other', () => {
    const signingIn = ['login', 'logout', 'whoami', 'use', 'doctor'];
    const named = rowsOf('Commands')
      .flatMap((cell) => [...cell.matchAll(/`(\w+)[^`]*`/g)])
      .map(([, name]) => name!);
    expect([...named, ...signingIn].sort()).toEqual([...commands].sort());
    for (const name of signingIn) expect(code).toContain(`loglane ${name}`);
  });

  it('has each option of all commands in its table, and no other', () => {
    const named = rowsOf('Output').flatMap((cell) => cell.match(/--[\w-]+/g) ?? []);
    const elsewhere = ['--version', '--help', '--website'];
    expect([...new Set([...named, ...elsewhere])].sort()).toEqual([...globalFlags].sort());
    for (const flag of elsewhere) expect(code).toContain(flag);
  });

  it('has the flags of each command, or docs/import.md has them', () => {
    const missing = [...flags].flatMap(([command, own]) =>
      own.filter((flag) => !named(flag, code) && !named(flag, others)).map((flag) => `${command} ${flag}`),
    );
    expect(missing).toEqual([]);
  });

  it('shows no command and no flag that does not exist', async () => {
    const calls = [...text.matchAll(/\bloglane ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)?)\b(?=[^`\n]*)/g)].map(
      ([, words]) => words!.split(' '),
    );
    const groups = new Set(operationTable.operations.map(groupOf));
    const unknown = calls.filter(([first]) => !commands.includes(first!) && !groups.has(first!));
    expect(unknown).toEqual([]);
    const known = new Set([...globalFlags, ...[...flags.values()].flat()]);
    for (const { parameters } of operationTable.operations)
      for (const { name } of parameters) known.add(`--${name.toLowerCase().replaceAll('_', '-')}`);
    const own = code.replaceAll(/^.*(?:claude mcp add|npm install).*$/gm, '');
    for (const flag of new Set(own.match(/(?<=[\s`])--[a-z][\w-]*/g))) expect(known).toContain(flag);
  });

  it('has each exit code', () => {
    expect(
      rowsOf('Exit codes')
        .filter((cell) => /^\d$/.test(cell))
        .map(Number),
    ).toEqual(Object.values(exitCodes));
  });
});

function named(flag: string, document: string): boolean {
  return new RegExp(`${flag}(?![\\w-])`).test(document);
}
