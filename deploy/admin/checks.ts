import type { Command } from 'commander';
import { CHECKS } from '../../shared/jobs/job-request.js';
import { requestAndPrint } from './fetch.js';
import type { Instance } from './instance.js';

/** `checks run`: what the jobs service checks of a website each night, now. */
export function addChecks(
  program: Command,
  session: { readonly instance: Instance; readonly print: (text: string) => void },
): void {
  program
    .command('checks')
    .description('the nightly checks')
    .command('run')
    .description('has the jobs service check a website now')
    .requiredOption('--website <website>', 'id')
    .action(({ website }: { website: string }) =>
      requestAndPrint(program, session, { kind: CHECKS, websiteId: website }),
    );
}
