import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { AddCommand, Cli } from '../cli.js';
import { failure } from '../cli-error.js';
import { type McpAccess, type Message, postMessage } from '../mcp/post-message.js';
import { safeJson } from '../output/clean-text.js';
import { writeTo } from '../output/printer.js';
import { isRow } from '../output/rows.js';
import { accessOf } from '../settings/resolve-settings.js';

/** `loglane mcp`: the MCP server of the instance on standard input and output, for clients that start a program. */

const MOST_AT_ONCE = 16;
const INTERNAL_ERROR = -32_603;
const PARSE_ERROR = -32_700;

export const addMcp: AddCommand = (program, cli) => {
  program
    .command('mcp')
    .description("serves the instance's MCP tools on standard input and output")
    .addHelpText('after', '\nExample:\n  claude mcp add loglane -- npx loglane mcp')
    .action(() => serve(cli));
};

async function serve(cli: Cli): Promise<void> {
  const { context } = cli;
  const { url, key } = accessOf(await cli.settings());
  let protocolVersion: string | null = null;
  const underWay = new Set<Promise<void>>();
  const lines = createInterface({ input: Readable.from(context.stdin, { objectMode: false }) });
  context.signal.addEventListener('abort', () => lines.close());
  const answer = (message: Message) => writeTo(context.stdout, `${safeJson(message)}\n`);

  async function forward(message: Message): Promise<void> {
    const access: McpAccess = { url, key, fetch: context.fetch, signal: context.signal, protocolVersion };
    let isAnswered = false;
    try {
      for await (const reply of postMessage(message, access)) {
        isAnswered ||= reply.id === message.id;
        // The session's version is a header of all later messages.
        if (
          message.method === 'initialize' &&
          isRow(reply.result) &&
          typeof reply.result.protocolVersion === 'string'
        )
          protocolVersion = reply.result.protocolVersion;
        await answer(reply);
      }
      // A refusal may have no id. A client that gets nothing would wait for ever.
      if (!isAnswered && message.id !== undefined && message.method !== undefined)
        throw failure(`${url}/mcp did not answer the call`);
    } catch (error) {
      if (message.id === undefined) return;
      await answer({
        jsonrpc: '2.0',
        id: message.id,
        error: { code: INTERNAL_ERROR, message: (error as Error).message },
      });
    }
  }

  for await (const line of lines) {
    if (line.trim() === '') continue;
    const message = parse(line);
    if (message === null) {
      await answer({
        jsonrpc: '2.0',
        id: null,
        error: { code: PARSE_ERROR, message: 'expected one JSON-RPC message a line' },
      });
      continue;
    }
    if (underWay.size >= MOST_AT_ONCE) await Promise.race(underWay);
    const one = forward(message).finally(() => underWay.delete(one));
    underWay.add(one);
    // Later messages need the version of this one.
    if (message.method === 'initialize') await one;
  }
  await Promise.all(underWay);
}

function parse(line: string): Message | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRow(value) && value.jsonrpc === '2.0' ? (value as unknown as Message) : null;
  } catch {
    return null;
  }
}
