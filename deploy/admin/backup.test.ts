import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addBackup } from './backup.js';
import { createCommandContext } from './instance/command-context.js';

test('backup - writes only the copy to standard output', async () => {
  const record = { topic: 'control.events', key: 'a', value: 'AA==' };
  const printed: string[] = [];
  const output = new PassThrough();
  const program = new Command();
  const instance = {
    get: async (path: string) => ({
      records: path.includes('topic=control.events') ? [record] : [],
      next: null,
    }),
    post: async () => ({}),
  };
  const context = createCommandContext(program, { instance, print: (line) => printed.push(line) });
  addBackup(program, { ...context, output });
  await program.parseAsync(['backup', '-'], { from: 'user' });
  output.end();
  const lines = (await text(output)).split('\n');
  expect(lines.map((line) => line && JSON.parse(line))).toEqual([
    { loglane_control_backup: expect.any(Number) },
    record,
    { records: 1 },
    '',
  ]);
  expect(printed).toEqual([]);
});
