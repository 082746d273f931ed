import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from './instance/command-context.js';
import { AdminError } from './instance/instance.js';
import type { GivenRobots, GivenSitemaps } from './server/site-files.js';
import { FETCHES_KEPT_DAYS } from './server/stored-fetches.js';

interface Given {
  readonly website: string;
  readonly fetchedAt?: string;
}

/** `robots store` and `sitemaps store`: stores files of a website that the jobs service can't fetch. */
export function addSiteFiles(program: Command, { answer, show }: CommandContext): void {
  const robots = program.command('robots').description('manages the robots.txt of a website');
  storing(robots, 'stores this robots.txt as if it had been fetched', FETCHES_KEPT_DAYS.robots)
    .requiredOption('--file <path>', 'the robots.txt')
    .action(async ({ file, ...given }: Given & { file: string }) => {
      const body: GivenRobots = { ...subjectOf(given), content: await readBase64(file) };
      show(await answer('/robots', body));
    });

  const sitemaps = program.command('sitemaps').description('manages the sitemaps of a website');
  const what = 'stores these sitemaps as if they had been fetched. Give all sitemaps of the website';
  storing(sitemaps, what, FETCHES_KEPT_DAYS.sitemaps)
    .requiredOption(
      '--file <path...>',
      'sitemaps and sitemap indexes, plain or gzip, with their names at the root of the website',
    )
    .action(async ({ file: paths, ...given }: Given & { file: string[] }) => {
      const files: GivenSitemaps['files'] = [];
      for (const path of paths) files.push({ name: basename(path), content: await readBase64(path) });
      const body: GivenSitemaps = { ...subjectOf(given), files };
      show(await answer('/sitemaps', body));
    });
}

function storing(parent: Command, description: string, keptDays: number): Command {
  return parent
    .command('store')
    .description(description)
    .requiredOption('--website <website>', 'id')
    .option(
      '--fetched-at <instant>',
      `time when the website served the file, ISO 8601, in the last ${keptDays} days (default: now)`,
    );
}

function subjectOf({ website, fetchedAt }: Given) {
  return { websiteId: website, fetchedAt: fetchedAt ?? null };
}

async function readBase64(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new AdminError(`the file can't be read: ${error.message}`);
  });
  return bytes.toString('base64');
}
