import type { Command } from 'commander';
import type { ListName } from '../../shared/control/admin/admin-app.js';
import type { AnswerTo, CommandName, Command as ControlCommand } from '../../shared/control/commands.js';

interface Session {
  list(name: ListName, filter?: string): Promise<void>;
  run<Name extends CommandName>(command: ControlCommand<Name>): Promise<AnswerTo<Name>>;
}

/** `export list` and `export cancel`: files that customers have asked for. */
export function addExports(program: Command, session: Session, print: (text: string) => void): void {
  const exports = program.command('export').description('files that customers have asked for');
  exports
    .command('list')
    .description('those that wait, are being made, or were over in the last seven days')
    .argument('[website]', 'id')
    .action((website?: string) => session.list('exports', website));
  exports
    .command('cancel')
    .description('ends one that waits or is being made')
    .argument('<export>', 'id')
    .action(async (exportId: string) => {
      const { id, status } = await session.run({ type: 'cancelExport', exportId });
      print(`${id} is ${status}`);
    });
}
