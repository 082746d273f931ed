// `npm run lint`: runs the scripts `lint:*` side by side, prints what a failing one says, and how long each took.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

/** @param {string} script @returns {Promise<boolean>} whether it passed */
function run(script) {
  const started = performance.now();
  const tool = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [tool.stdout, tool.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  return new Promise((resolve, reject) => {
    tool.once('error', reject);
    tool.once('close', (code) => {
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      const passed = code === 0;
      process.stdout.write(
        `${passed ? '' : output}${script}: ${passed ? 'passed' : 'failed'}, ${seconds} s\n`,
      );
      resolve(passed);
    });
  });
}

const passed = await Promise.all(
  Object.keys(scripts)
    .filter((name) => name.startsWith('lint:'))
    .map(run),
);
process.exitCode = passed.every(Boolean) ? 0 : 1;
