import { Argument } from 'commander';
import type { AddCommand } from '../cli.js';
import { usageError } from '../cli-error.js';
import { readInput } from '../operations/body-of.js';
import { showReply } from '../operations/show-reply.js';
import type { CliOperation } from '../table/operation-table.js';

/** `loglane api METHOD PATH`: any call of the API. */

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const addApi: AddCommand = (program, cli) => {
  program
    .command('api')
    .description('calls a path of the API; {website_id} in the path is the website of --website')
    .addArgument(new Argument('<method>').choices(METHODS).argParser((text) => text.toUpperCase()))
    .argument('<path>', 'below /public/v1, with its query: /websites/{website_id}/summary?hours=24')
    .option(
      '-f, --field <name=value...>',
      'parameter of the query, or field of the body for other methods than GET',
    )
    .option('--input <file>', 'JSON of the body; - is standard input')
    .action(async (method: string, path: string, given: { field?: string[]; input?: string }) => {
      if (!METHODS.includes(method)) throw usageError(`${method}: expected one of ${METHODS.join(', ')}`);
      const address = await addressOf(path, cli.website);
      const fields = (given.field ?? []).map(fieldOf);
      const hasBody = method !== 'GET' && method !== 'DELETE';
      for (const [name, value] of hasBody ? [] : fields) address.searchParams.append(name, value);
      const input = given.input === undefined ? {} : await readInput(given.input, cli.context);
      await showReply(cli, unknownOperation(method, address.pathname), {
        method,
        path: address.pathname,
        query: address.searchParams,
        body: hasBody
          ? { ...input, ...Object.fromEntries(fields.map(([name, value]) => [name, typed(value)])) }
          : undefined,
      });
    });

  function unknownOperation(method: string, path: string): CliOperation {
    const known = cli.context.table.operations.find(
      (operation) => operation.method === method && matches(operation.path, path),
    );
    const nothing = {
      id: 'api',
      tag: '',
      summary: '',
      description: '',
      parameters: [],
      hasBody: true,
      lists: [],
    };
    return known ?? { ...nothing, method, path, answer: {} };
  }
};

/** @throws CliError for an address of another instance: the key goes to this one only. */
async function addressOf(path: string, website: () => Promise<string>): Promise<URL> {
  const filled = /\{website_id\}/.test(path)
    ? path.replaceAll('{website_id}', encodeURIComponent(await website()))
    : path;
  if (!filled.startsWith('/') || filled.startsWith('//'))
    throw usageError(`"${path}": expected a path that begins with /`);
  const base = 'http://instance.invalid';
  const address = new URL(filled, base);
  if (address.origin !== base) throw usageError(`"${path}": expected a path of the API`);
  if (!address.pathname.startsWith('/public/v1')) address.pathname = `/public/v1${address.pathname}`;
  return address;
}

function fieldOf(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(`--field ${text}: expected name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** JSON where the text is JSON: 5, true, null, [1]. Any other text is itself. */
function typed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return (
    wanted.length === given.length && wanted.every((part, at) => part.startsWith('{') || part === given[at])
  );
}
