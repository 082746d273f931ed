import { Argument, type Command } from 'commander';
import { type FetchKind, fetchKinds } from '../../shared/jobs/job-request.js';
import type { Instance } from './instance.js';
import { type Row, renderJson, renderTable } from './render.js';

/** `fetch`: what the jobs service reads of a website each day, now. */
export function addFetch(
  program: Command,
  { instance, print }: { instance: Instance; print: (text: string) => void },
): void {
  program
    .command('fetch')
    .description('has the jobs service read a website’s robots.txt or sitemaps now')
    .addArgument(new Argument('<what>').choices(fetchKinds))
    .requiredOption('--website <website>', 'id')
    .action(async (kind: FetchKind, { website: websiteId }: { website: string }) => {
      const { answer } = (await instance.post('/jobs', { kind, websiteId })) as { answer: Row };
      print(program.opts().json === true ? renderJson(answer) : renderTable([answer]));
    });
}
