// `npm run lint`: runs the tools side by side, prints what the failing ones say, and how long each took.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const TOOLS = {
  format: ['biome', 'check', '.'],
  types: ['../typescript-7/bin/tsc', '--noEmit'],
  imports: ['depcruise', '--config', '.dependency-cruiser.cjs', 'services', 'shared', 'deploy'],
  unused: ['knip'],
};

/** @param {string} name @param {string[]} command @returns {Promise<boolean>} whether it found nothing */
function run(name, [program, ...words]) {
  const started = performance.now();
  const tool = spawn(join('node_modules/.bin', program), words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [tool.stdout, tool.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  return new Promise((resolve, reject) => {
    tool.once('error', reject);
    tool.once('close', (code) => {
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      process.stdout.write(
        `${code === 0 ? '' : output}lint: ${name} ${code === 0 ? 'passed' : 'failed'}, ${seconds} s\n`,
      );
      resolve(code === 0);
    });
  });
}

const passed = await Promise.all(Object.entries(TOOLS).map(([name, command]) => run(name, command)));
process.exitCode = passed.every(Boolean) ? 0 : 1;
