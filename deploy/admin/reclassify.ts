import type { Command } from 'commander';
import type { CommandContext } from './instance/command-context.js';
import { AdminError } from './instance/instance.js';
import type { WebsiteReport } from './server/reclassify.js';

/** `reclassify`: classifies stored requests again by the crawler rules of this version (deploy/admin/rows/reclassify-rows.ts). */
export function addReclassify(program: Command, context: CommandContext): void {
  program
    .command('reclassify')
    .description(
      'classifies stored requests again by the crawler table and the address ranges of this version',
    )
    .requiredOption('--from <day>', 'first day of the requests, UTC: YYYY-MM-DD')
    .requiredOption('--to <day>', 'last day')
    .option('--website <id>', 'only this website (default: all websites)')
    .action(async ({ from, to, website }: { from: string; to: string; website?: string }) => {
      const body = { from, to, websiteId: website ?? null };
      const rows = await context.rows<WebsiteReport>('/reclassify', body);
      context.show(rows);
      const failed = rows.filter(({ error }) => error !== null).map(({ websiteId }) => websiteId);
      if (failed.length > 0)
        throw new AdminError(`not reclassified, repeat it with --website: ${failed.join(', ')}`);
    });
}
