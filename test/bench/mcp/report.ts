import type { Judge, ListedTool } from './judge.js';
import { share, type Verdict } from './verdicts.js';

const percent = (value: number) => `${(value * 100).toFixed(1)} %`;

const chosen = ({ choice }: Verdict) => choice?.tool ?? 'none';

/** Shares by tool, which tool was chosen for which, and the questions that failed. */
export function report(judge: Judge, tools: readonly ListedTool[], verdicts: readonly Verdict[]): string {
  const names = tools.map(({ name }) => name);
  const groups = names
    .map((name) => ({ name, of: verdicts.filter(({ question }) => question.tool === name) }))
    .filter(({ of }) => of.length > 0);
  const width = Math.max(...names.map((name) => name.length)) + 2;
  return [
    `Judge ${judge.name}: ${verdicts.length} questions, right tool ${percent(share(verdicts, 'tool'))} (bar ${percent(judge.bar)}), right call ${percent(share(verdicts, 'call'))}, forbidden tool ${percent(share(verdicts, 'forbidden'))}`,
    '',
    `${'Expected'.padEnd(width)}${'asked'.padStart(6)}${'tool'.padStart(9)}${'call'.padStart(9)}`,
    ...groups.map(
      ({ name, of }) =>
        `${name.padEnd(width)}${String(of.length).padStart(6)}${percent(share(of, 'tool')).padStart(9)}${percent(share(of, 'call')).padStart(9)}`,
    ),
    '',
    'Chosen for the expected tool (each row is an expected tool):',
    ...groups.map(({ name, of }) => `${name.padEnd(width)}${counted(of.map(chosen))}`),
    '',
    'Failed:',
    ...verdicts.filter(({ call }) => !call).map(failure),
  ].join('\n');
}

function counted(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort((one, other) => other[1] - one[1])
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function failure(verdict: Verdict): string {
  const { question, wording, choice, forbidden } = verdict;
  const call = `${chosen(verdict)} ${JSON.stringify(choice?.arguments ?? {})}`;
  return `  ${forbidden ? 'forbidden ' : ''}${question.id}: "${wording}" expected ${question.tool} ${JSON.stringify(question.arguments ?? {})}, chosen ${call}`;
}
