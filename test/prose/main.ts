import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { problemsOf } from './rules.js';
import { sentencesOfCode, sentencesOfMarkdown, sentencesOfSql } from './sentences.js';

/** `npm run lint:prose [-- path…]`: prints the sentences of documents, comments and test titles that break a rule of rules.ts. */

const READERS: ReadonlyArray<readonly [RegExp, typeof sentencesOfCode]> = [
  [/\.md$/, sentencesOfMarkdown],
  [/\.sql$/, sentencesOfSql],
  [/(?<!\.d)\.(?:m?ts|tsx)$|\.mjs$/, sentencesOfCode],
];

/** Files whose text is data, or names the habits themselves. */
const EXCLUDED = /\/data\/|^test\/prose\/|^dist\//;

const files = execFileSync('git', ['ls-files', ...process.argv.slice(2)], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !EXCLUDED.test(file));

let count = 0;
for (const file of files) {
  const read = READERS.find(([name]) => name.test(file))?.[1];
  if (read === undefined) continue;
  for (const { line, text } of read(readFileSync(file, 'utf8'))) {
    const problems = problemsOf(text);
    if (problems.length === 0) continue;
    count += 1;
    process.stdout.write(`${file}:${line} ${problems.join('; ')}\n  ${text.slice(0, 300)}\n`);
  }
}
if (count > 0) {
  process.stdout.write(`${count} sentences need a plainer form (CONTRIBUTING.md).\n`);
  process.exitCode = 1;
}
