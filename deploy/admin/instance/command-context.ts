import type { Command } from 'commander';
import type {
  AnswerTo,
  CommandName,
  Command as ControlCommand,
} from '../../../shared/control/decide/commands.js';
import type { ListName } from '../server/admin-app.js';
import type { Instance } from './instance.js';
import { type Row, renderJson, renderTable } from './render.js';

/** Shared by all commands: calls to the instance, and output of its answers. */
export interface CommandContext {
  readonly instance: Instance;
  readonly print: (text: string) => void;
  /** @returns the `answer` of a route. @param body absent: the request is a GET. */
  answer<Answer extends object = Row>(path: string, body?: unknown): Promise<Answer>;
  rows<Each extends object = Row>(path: string, body?: unknown): Promise<Each[]>;
  run<Name extends CommandName>(command: ControlCommand<Name>): Promise<AnswerTo<Name>>;
  /** Prints JSON with --json; without it, a table or the text of `inWords`. */
  show(value: object | readonly object[], inWords?: () => string): void;
}

export function createCommandContext(
  program: Command,
  { instance, print }: Pick<CommandContext, 'instance' | 'print'>,
): CommandContext {
  const ask = (path: string, body: unknown) =>
    body === undefined ? instance.get(path) : instance.post(path, body);
  return {
    instance,
    print,
    answer: async <Answer>(path: string, body?: unknown) =>
      ((await ask(path, body)) as { answer: Answer }).answer,
    rows: async <Each>(path: string, body?: unknown) => ((await ask(path, body)) as { rows: Each[] }).rows,
    run: async <Name extends CommandName>(command: ControlCommand<Name>) =>
      ((await ask('/commands', command)) as { answer: AnswerTo<Name> }).answer,
    show(value, inWords = () => renderTable([value].flat() as Row[])) {
      print(program.opts().json === true ? renderJson(value) : inWords());
    },
  };
}

/** `list [owner]`: the rows of all owners, or of the named one. */
export function addList(
  parent: Command,
  { rows, show }: CommandContext,
  name: ListName | 'connections',
  owner: 'organisation' | 'website',
): Command {
  return parent
    .command('list')
    .argument(`[${owner}]`, 'id')
    .action(async (id?: string) =>
      show(await rows(id === undefined ? `/${name}` : `/${name}?filter=${encodeURIComponent(id)}`)),
    );
}
