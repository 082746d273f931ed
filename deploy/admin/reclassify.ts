import type { Command } from 'commander';
import type { WebsiteReport } from '../../shared/control/admin/reclassify.js';
import { AdminError, type Instance } from './instance.js';
import { renderJson, renderTable } from './render.js';

interface ReclassifySession {
  readonly instance: Instance;
  readonly print: (text: string) => void;
}

/** `reclassify`: judges stored requests anew by the rules of crawlers of this release (shared/clickhouse/reclassify-rows.ts). */
export function addReclassify(program: Command, { instance, print }: ReclassifySession): void {
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
      const { rows } = (await instance.post('/reclassify', body)) as { rows: WebsiteReport[] };
      print(program.opts().json === true ? renderJson(rows) : renderTable(rows.map((row) => ({ ...row }))));
      const failed = rows.filter(({ error }) => error !== null).map(({ websiteId }) => websiteId);
      if (failed.length > 0)
        throw new AdminError(`not judged anew, repeat it with --website: ${failed.join(', ')}`);
    });
}
