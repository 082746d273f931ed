import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inputs } from '../../../services/api/mcp/tools/catalogue.js';
import { runCommandLine } from '../../../test/harness/command-line.js';

/** The scripts, executed by their shells. bash is everywhere; the others run where they are installed. */

/** Programs that print the words of each line of standard input, in one process. `$1` is the script. */
const COMPLETE = {
  bash: `. "$1"
while IFS= read -r line; do
  read -ra COMP_WORDS <<< "$line"; [[ "$line" == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _loglane; echo "\${COMPREPLY[*]}"
done`,
  zsh: `compdef() { : }
. "$1"
compadd() { shift; local typed="$words[CURRENT]"; print -r -- "\${(@M)argv:#$typed*}" }
_files() { print }
while IFS= read -r line; do
  words=(\${(s: :)line}); [[ "$line" == *' ' ]] && words+=('')
  CURRENT=$#words; _loglane
done`,
  fish: `source $argv[1]
while read -l line
  echo (complete -C "$line")
end`,
} as const;
type Shell = keyof typeof COMPLETE;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loglane-completion-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function complete(shell: Shell, lines: readonly string[]): Promise<string[][]> {
  const { stdout: script } = await runCommandLine(['completion', shell]);
  const file = join(folder, `loglane.${shell}`);
  writeFileSync(file, script);
  const empty = mkdtempSync(join(folder, 'empty-'));
  writeFileSync(join(empty, 'file'), '');
  const { stdout, stderr } = spawnSync(
    shell,
    [
      ...(shell === 'bash' ? ['--norc'] : []),
      '-c',
      COMPLETE[shell],
      ...(shell === 'fish' ? [] : [shell]),
      file,
    ],
    {
      encoding: 'utf8',
      input: `${lines.join('\n')}\n`,
      cwd: empty,
      env: { PATH: process.env.PATH, HOME: folder },
    },
  );
  expect(stderr).toBe('');
  return stdout
    .replace(/\n$/, '')
    .split('\n')
    .map((line) =>
      line
        .trim()
        .split(/\s+/)
        .filter((word) => word !== '')
        .sort(),
    );
}

const isInstalled = (shell: Shell) => spawnSync(shell, ['--version']).status === 0;

describe.each(['bash', 'zsh', 'fish'] as const)('the script of %s', (shell) => {
  it.skipIf(!isInstalled(shell))('completes the name of each operation', async () => {
    const { stdout } = await runCommandLine(['schema']);
    const names = JSON.parse(stdout).map(({ command }: { command: string }) => command) as string[];
    const found = await complete(
      shell,
      names.map((name) => `loglane ${name}`),
    );
    expect(names.filter((name, at) => !found[at]!.includes(name.split(' ')[1]!))).toEqual([]);
    const groups = [...new Set(names.map((name) => name.split(' ')[0]!))];
    const [first, schema, help] = await complete(shell, ['loglane ', 'loglane schema ', 'loglane help ']);
    for (const all of [first, schema, help]) expect(all).toEqual(expect.arrayContaining(groups));
  });

  it.skipIf(!isInstalled(shell)).each([
    ['loglane traf', ['traffic']],
    ['loglane schema traffic pat', ['paths']],
    ['loglane help traffic pat', ['paths']],
    ['loglane completion ', ['bash', 'fish', 'zsh']],
    ['loglane api P', ['PATCH', 'POST', 'PUT']],
    ['loglane top --by ', ['bot', 'ip', 'path', 'status']],
    ['loglane tail --who p', ['people']],
    ['loglane demo --format l', ['loglane', 'logpush']],
    ['loglane traffic paths --cou', ['--countries']],
    ['loglane traffic paths --hours 24 --cou', ['--countries']],
    ['loglane --website w1 traffic pat', ['paths']],
    ['loglane url /a --verif', ['--verified-only']],
    ['loglane overview --period file', ['file']],
    ['loglane send ', ['file']],
  ])('completes "%s"', async (line, words) => {
    const [found] = await complete(shell, [line]);
    // bash and zsh complete files themselves where the script gives no word.
    expect(found).toEqual(shell === 'fish' || !words.includes('file') ? words : []);
  });

  it.skipIf(!isInstalled(shell)).each([
    ['ai', inputs.ai_visibility],
    ['seo', inputs.seo_health],
    ['incidents', inputs.incidents],
  ])('completes the views of %s that the MCP tool has', async (command, { shape }) => {
    const [found] = await complete(shell, [`loglane ${command} `]);
    const views = (z.toJSONSchema(shape.view) as { enum: string[] }).enum;
    expect(found).toEqual(views.map((view) => view.replaceAll('_', '-')).sort());
  });
});
