import type { Command } from 'commander';
import type { ErasurePreview, ErasureReport } from './erasure/erasure-desk.js';
import type { CommandContext } from './instance/command-context.js';
import { AdminError } from './instance/instance.js';
import { renderTable } from './instance/render.js';

/** `erase`: removes all data of a subject (deploy/admin/erasure). Without --yes it only shows a preview. */
export function addErase(program: Command, context: CommandContext): void {
  const erase = program
    .command('erase')
    .description(
      'permanently removes all data of an organisation, website, user or address; without --yes, shows a preview',
    );
  for (const kind of ['organisation', 'website'] as const)
    erase
      .command(kind)
      .argument('<id>')
      .option('--yes', 'erase the data')
      .action((id: string, { yes }: { yes?: true }) => run(context, { kind, id }, yes));
  erase
    .command('user')
    .argument('<user>', 'id or e-mail address')
    .option('--yes', 'erase the data')
    .action((id: string, { yes }: { yes?: true }) => run(context, { kind: 'user', id }, yes));
  erase
    .command('address')
    .argument('<ip>', 'IP address of a visitor')
    .option('--website <id>', 'only the data of this website (default: all websites)')
    .option('--yes', 'erase the data')
    .action((address: string, { website, yes }: { website?: string; yes?: true }) =>
      run(context, { kind: 'address', address, websiteId: website ?? null }, yes),
    );
}

/** The subject, its objects in the state, its rows, files and log records: to be erased, or erased. */
function describeErasure(answer: ErasurePreview | ErasureReport): string[] {
  const { subject, name, state, entries, files } = answer;
  const records = 'records' in answer ? answer.records : 0;
  const rows = Object.entries(answer.rows).map(([table, count]) => ({ table, rows: count }));
  const held = stateWords.filter(([field]) => state[field] > 0);
  const called = name === null ? subject : `${name} (${subject})`;
  if (name === null && rows.length + held.length + entries + records + files === 0)
    return [`nothing is left of ${called}`];
  return [
    `${!('complete' in answer) ? 'would erase' : answer.complete ? 'erased' : 'erased in part'}: ${called}`,
    ...held.map(([field, words]) => `${state[field]} ${words}`),
    ...(entries > 0
      ? [`${entries} timeline entries that these API keys created: the entries stay without title and text`]
      : []),
    rows.length === 0 ? 'no rows' : renderTable(rows),
    ...(files > 0 ? [`${files} files`] : []),
    ...(records > 0 ? [`${records} log records rewritten`] : []),
  ];
}

function describeLook({ left, leftRecords }: ErasureReport): string[] {
  const rows = Object.entries(left).map(([table, count]) => ({ table, left: count }));
  return ['', 'checked afterwards:', renderTable(rows), `${leftRecords} log records left`];
}

const stateWords = [
  ['websites', 'websites'],
  ['users', 'users'],
  ['apiKeys', 'API keys, which stop working'],
  ['ingestKeys', 'ingest keys, which stop working'],
  ['segments', 'segments'],
] as const;

async function run(context: CommandContext, subject: object, yes: true | undefined): Promise<void> {
  const path = yes ? '/erase' : '/erase/preview';
  const answer = await context.answer<ErasurePreview | ErasureReport>(path, subject);
  context.show(answer, () => inWords(answer).join('\n'));
  if ('complete' in answer && !answer.complete) throw new AdminError(whyNotFinished(answer));
}

function whyNotFinished({ forgotten }: ErasureReport): string {
  return forgotten
    ? 'not finished: more data arrived during the erasure; repeat the command'
    : 'not finished: a detector did not answer and may still have the data in memory. Its saved state is erased; repeat the command when the detector runs';
}

function inWords(answer: ErasurePreview | ErasureReport): string[] {
  return [
    ...describeErasure(answer),
    ...('left' in answer ? describeLook(answer) : []),
    ...answer.remains.map(
      ({ topic, until, what }) => `${topic} keeps ${what}${until === null ? '' : ` (${until})`}`,
    ),
    ...('complete' in answer ? [] : ['\nNothing was changed. Repeat with --yes to erase it for good.']),
  ];
}
