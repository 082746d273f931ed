import { Option } from 'commander';
import type { AddCommand, Cli } from '../cli.js';
import { CliError, usageError } from '../cli-error.js';
import { isRow, listsIn, type Row } from '../output/rows.js';
import { pauseAfter } from '../tail/pace.js';
import { GROUPS, type Group, keysOf, picture, press, type Screen } from '../top/screen.js';

/** `loglane top`: the busiest paths, bots, addresses or statuses of the last hour, on the whole terminal. */

const READS: Record<Group, { readonly path: string; readonly list: string; readonly isLimited: boolean }> = {
  path: { path: 'paths', list: 'paths', isLimited: true },
  bot: { path: 'bots', list: 'bots', isLimited: false },
  ip: { path: 'ips', list: 'ips', isLimited: true },
  status: { path: 'status-codes', list: 'status_codes', isLimited: false },
};
const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H\u001b[J';
const STEP_MS = 100;

export const addTop: AddCommand = (program, cli) => {
  program
    .command('top')
    .description('the busiest paths, bots, addresses or statuses of the last hour, on the whole terminal')
    .addOption(new Option('--by <group>', 'first view').choices(GROUPS).default('path'))
    .action(async ({ by }: { by: Group }) => {
      const { stdout, stdin } = cli.context;
      if (stdout.isTTY !== true || stdin.isTTY !== true)
        throw usageError('top needs a terminal; `loglane traffic paths` prints the same figures');
      const terminal = stdin as { setRawMode?: (raw: boolean) => void; destroy?: () => void };
      terminal.setRawMode?.(true);
      stdout.write(ENTER);
      try {
        await draw(cli, { by, selected: 0, verified: false, filters: {} });
      } finally {
        stdout.write(LEAVE);
        terminal.setRawMode?.(false);
        // A read of the next key would keep the process alive, also after an error.
        terminal.destroy?.();
      }
    });
};

async function draw(cli: Cli, first: Screen): Promise<void> {
  const { stdout, stdin, signal, sleep, now } = cli.context;
  let screen: Screen | null = first;
  let rows: readonly Row[] = [];
  let note = '';
  let due = 0;
  const show = () => {
    if (screen === null) return;
    const size = {
      width: stdout.columns ?? 100,
      height: stdout.rows ?? 24,
      colour: cli.style().colour,
      note,
    };
    stdout.write(`${HOME}${picture(screen, rows, size)}`);
  };
  let failed: Error | null = null;
  const typing = async () => {
    for await (const text of stdin) {
      for (const key of keysOf(String(text))) {
        if (screen === null) return;
        const before: Screen = screen;
        screen = press(key, before, rows);
        if (screen === null) return;
        if (
          screen.by !== before.by ||
          screen.verified !== before.verified ||
          screen.filters !== before.filters
        )
          due = 0;
      }
      show();
    }
  };
  const keys = typing().catch((error: Error) => {
    failed = error;
  });
  while (screen !== null && !signal.aborted) {
    if (failed !== null) throw failed;
    if (now() >= due) {
      const asked: Screen = screen;
      const answer = await read(cli, asked);
      // A key may have asked for another view meanwhile.
      if (screen === null) break;
      ({ note } = answer);
      due = now() + answer.pause;
      if (screen.by === asked.by) rows = answer.rows;
      else due = 0;
      show();
    }
    await Promise.race([sleep(STEP_MS), ...(screen === null ? [keys] : [])]);
  }
}

async function read(
  cli: Cli,
  { by, verified, filters }: Screen,
): Promise<{ rows: readonly Row[]; pause: number; note: string }> {
  const { path, list, isLimited } = READS[by];
  const query = new URLSearchParams({ hours: '1', ...filters, ...(verified && { bot_verified: 'true' }) });
  if (isLimited) query.set('limit', '100');
  const website = encodeURIComponent(await cli.website());
  try {
    const api = await cli.api();
    const { json, headers } = await api.call({
      method: 'GET',
      path: `/public/v1/websites/${website}/${path}`,
      query,
    });
    const [found] = isRow(json) ? listsIn(json, [list]) : [];
    return { rows: found?.[1] ?? [], pause: pauseAfter(headers, cli.context.now()), note: '' };
  } catch (error) {
    if (!(error instanceof CliError) || !error.retryable) throw error;
    return { rows: [], pause: 5_000, note: error.message };
  }
}
