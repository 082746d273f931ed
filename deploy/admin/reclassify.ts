import type { Command } from 'commander';
import { AdminError } from './instance/instance.js';
import type { Session } from './instance/session.js';
import type { WebsiteReport } from './server/reclassify.js';

/** `reclassify`: judges stored requests anew by the rules of crawlers of this release (deploy/admin/rows/reclassify-rows.ts). */
export function addReclassify(program: Command, session: Session): void {
  program
    .command('reclassify')
    .description(
      'judges stored requests anew by the table of crawlers and the address ranges of this release',
    )
    .requiredOption('--from <day>', 'first day of the requests, UTC: YYYY-MM-DD')
    .requiredOption('--to <day>', 'last day')
    .option('--website <id>', 'there alone; default everywhere')
    .action(async ({ from, to, website }: { from: string; to: string; website?: string }) => {
      const body = { from, to, websiteId: website ?? null };
      const rows = await session.rows<WebsiteReport>('/reclassify', body);
      session.show(rows);
      const failed = rows.filter(({ error }) => error !== null).map(({ websiteId }) => websiteId);
      if (failed.length > 0)
        throw new AdminError(`not judged anew, repeat it with --website: ${failed.join(', ')}`);
    });
}
