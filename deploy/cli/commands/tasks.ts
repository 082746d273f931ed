import type { Command } from 'commander';
import type { AddCommand, Cli } from '../cli.js';
import { callTool } from '../mcp/call-tool.js';
import { isRow, type Row } from '../output/rows.js';
import { groupOf, verbOf } from '../table/command-names.js';

/** `overview`, `ai`, `seo`, `url`, `incidents`: the answers of the MCP server's tools. */

const AI_VIEWS = ['crawlers', 'funnel', 'landing', 'never_fetched', 'undeclared', 'ratio'];
const SEO_VIEWS = [
  ...['summary', 'crawl_budget', 'url_patterns', 'status_consistency', 'robots', 'sitemap', 'index_coverage'],
  ...['search_performance', 'crawl_findings', 'importance', 'checks'],
];
const INCIDENT_VIEWS = ['open', 'alerts', 'health', 'advice'];
const MOST_ROWS = 100;

export const addTasks: AddCommand = (program, cli) => {
  const task = (words: string, description: string) =>
    program
      .command(words)
      .description(description)
      .option('--period <text>', '24h, 7d, 30d, 90d, today, yesterday or DATE..DATE (default: 7d)')
      .option('--segment <id>', 'a saved segment')
      .option('--countries <list>', 'ISO 3166-1 alpha-2 codes, comma-separated')
      .option('--verified-only', 'verified bots only');

  task('overview', 'a first look: people, crawlers, errors and speed, against the period before').action(
    (flags: Flags) => show(cli, 'get_overview', {}, flags),
  );
  view(task('ai', 'AI crawlers and assistants'), AI_VIEWS)
    .option('--operator <name>', 'OpenAI, Anthropic, Perplexity …')
    .action((of: string, flags: Flags) =>
      show(cli, 'ai_visibility', { view: of, operator: flags.operator }, flags),
    );
  view(task('seo', 'search crawlers and technical SEO'), SEO_VIEWS)
    .option('--crawler <name>', 'Googlebot, bingbot …')
    .option('--directory <path>', 'a directory such as /blog/')
    .action((of: string, flags: Flags) =>
      show(cli, 'seo_health', { view: of, crawler: flags.crawler, directory: flags.directory }, flags),
    );
  task('url', 'everything about one page, or pages whose path contains a text')
    .argument('<path>', 'exact path, or a part of it')
    .action((path: string, flags: Flags) => show(cli, 'explain_url', { path }, flags));
  view(task('incidents', 'incidents, alerts, health, and advice'), INCIDENT_VIEWS)
    .option('--type <name>', 'a kind of alert: error_spike_5xx, traffic_spike …')
    .action((of: string, flags: Flags) => show(cli, 'incidents', { view: of, type: flags.type }, flags));
};

type Flags = Readonly<Partial<Record<string, string | boolean>>>;

function view(command: Command, views: readonly string[]): Command {
  const [first] = views;
  // Words of a shell have hyphens, those of the tools underscores. The tool refuses other words.
  const argument = command
    .createArgument('[view]', 'part of the answer')
    .choices(views.map((name) => name.replaceAll('_', '-')))
    .argParser((text) => text.replaceAll('-', '_'))
    .default(first, first);
  return command.addArgument(argument);
}

async function show(cli: Cli, tool: string, own: Row, flags: Flags): Promise<void> {
  const { limit, all, website } = cli.options();
  const chosen = website ?? (await cli.settings()).website ?? undefined;
  const args = {
    ...own,
    ...{ website: chosen, period: flags.period, segment: flags.segment, countries: flags.countries },
    ...{ verified_only: flags.verifiedOnly, limit: all || (limit ?? 0) > MOST_ROWS ? MOST_ROWS : limit },
  };
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  const first = await callTool(cli, tool, given);
  const rows = [...rowsOf(first)];
  const most = limit ?? (all ? Number.POSITIVE_INFINITY : 0);
  let last = first;
  for (let cursor: unknown = null; rows.length < most; ) {
    // A cursor that repeats itself has no further rows.
    if (typeof last.next_cursor !== 'string' || last.next_cursor === cursor) break;
    cursor = last.next_cursor;
    last = await callTool(cli, tool, { ...given, cursor });
    rows.push(...rowsOf(last));
  }
  await print(cli, { ...first, notes: last.notes }, rows.slice(0, limit ?? rows.length));
}

/** The tool's answer; each row has the names of its columns. */
async function print(cli: Cli, answer: Row, rows: readonly (readonly unknown[])[]): Promise<void> {
  // The tool has bounded the rows already.
  const printer = cli.printer(true);
  const { format, fields } = printer.style;
  const columns = Array.isArray(answer.columns) ? answer.columns.map(String) : [];
  const named = rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])));
  const { columns: _, warning: __, ...rest } = answer;
  const notes = (Array.isArray(answer.notes) ? answer.notes : []).map((note) =>
    inShellWords(cli, String(note)),
  );
  if (format === 'json' && fields === null) return printer.answer({ ...rest, notes, rows: named });
  for (const note of notes) cli.note(note);
  const { window, coverage, console_url } = answer;
  const around =
    format === 'table'
      ? { ...(isRow(window) && { window }), ...(isRow(coverage) && { coverage }), console_url }
      : {};
  await printer.answer({ ...around, rows: named }, ['rows']);
}

/** Notes of the tools are for MCP clients, which have other names for the same things. */
function inShellWords({ context }: Cli, note: string): string {
  const commandOf = (words: string, id: string) => {
    const operation = context.table.operations.find((one) => one.id === id);
    return operation === undefined ? words : `\`loglane ${groupOf(operation)} ${verbOf(operation)}\``;
  };
  return note
    .replace('repeat the call with next_cursor', '--all or a larger --limit prints them')
    .replace('The others follow with next_cursor', '--all or a larger --limit prints the others')
    .replace('see the tool incidents', 'see `loglane incidents`')
    .replace(/\b([a-z]+[A-Z]\w*)(?: by call_operation)?/g, commandOf);
}

function rowsOf({ rows }: Row): readonly (readonly unknown[])[] {
  return Array.isArray(rows) ? rows.filter(Array.isArray) : [];
}
