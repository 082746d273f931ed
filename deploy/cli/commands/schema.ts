import type { AddCommand } from '../cli.js';
import { CliError, exitCodes } from '../cli-error.js';
import { safeJson } from '../output/clean-text.js';
import { groupOf, verbOf } from '../table/command-names.js';
import { flagOf } from '../table/flags.js';
import type { CliOperation } from '../table/operation-table.js';

/** `loglane schema`: what a program needs to know of the commands of operations, as JSON. */

export const addSchema: AddCommand = (program, cli) => {
  const { table } = cli.context;
  program
    .command('schema')
    .description(
      'the commands of all operations as JSON; with a command its parameters and the schema of its answer',
    )
    .argument('[command...]', 'traffic paths, or the id of the operation: getPaths')
    .action(async (words: string[]) => {
      const found = words.length === 0 ? null : table.operations.find((one) => isNamed(one, words.join(' ')));
      if (found === undefined)
        throw new CliError(`no operation has the command "${words.join(' ')}"`, exitCodes.notFound);
      const shown =
        found === null
          ? table.operations.map(shortOf)
          : { ...longOf(found), schemas: schemasOf(found.answer) };
      await cli.printer().text(`${safeJson(shown, 2)}\n`);
    });

  /** The schemas that an answer refers to, directly or through others. */
  function schemasOf(answer: unknown): Record<string, unknown> {
    const found = new Map<string, unknown>();
    const visit = (value: unknown): void => {
      for (const [, name] of JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
        if (found.has(name!) || !Object.hasOwn(table.schemas, name!)) continue;
        found.set(name!, table.schemas[name!]);
        visit(table.schemas[name!]);
      }
    };
    visit(answer);
    return Object.fromEntries(found);
  }
};

const commandOf = (operation: CliOperation) => `${groupOf(operation)} ${verbOf(operation)}`;

function isNamed(operation: CliOperation, name: string): boolean {
  return operation.id === name || commandOf(operation) === name;
}

function shortOf(operation: CliOperation) {
  const { id, method, path, summary } = operation;
  return { command: commandOf(operation), id, method, path, summary };
}

function longOf(operation: CliOperation) {
  const { description, parameters, answer } = operation;
  const flags = parameters.map((parameter) => ({
    ...(parameter.in === 'path' && parameter.name !== 'website_id'
      ? { argument: flagOf(parameter) }
      : { flag: `--${parameter.name === 'website_id' ? 'website' : flagOf(parameter)}` }),
    ...parameter,
  }));
  return { ...shortOf(operation), description, parameters: flags, answer };
}
