import { Argument, type Command } from 'commander';
import { type FetchKind, fetchKinds, type JobRequest } from '../../shared/jobs/job-request.js';
import type { Instance } from './instance.js';
import { type Row, renderJson, renderTable } from './render.js';

interface Session {
  readonly instance: Instance;
  readonly print: (text: string) => void;
}

/** `fetch`: what the jobs service reads of a website each day, now. */
export function addFetch(program: Command, session: Session): void {
  program
    .command('fetch')
    .description('has the jobs service read a website’s robots.txt or sitemaps now')
    .addArgument(new Argument('<what>').choices(fetchKinds))
    .requiredOption('--website <website>', 'id')
    .action((kind: FetchKind, { website }: { website: string }) =>
      requestAndPrint(program, session, { kind, websiteId: website }),
    );
}

/** Has a job run, and prints where the request stands. */
export async function requestAndPrint(
  program: Command,
  { instance, print }: Session,
  request: Pick<JobRequest, 'kind' | 'websiteId'>,
): Promise<void> {
  const { answer } = (await instance.post('/jobs', request)) as { answer: Row };
  print(program.opts().json === true ? renderJson(answer) : renderTable([answer]));
}
