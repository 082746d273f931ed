import type { Cli } from '../cli.js';
import { CliError, exitCodes, failure } from '../cli-error.js';
import { isRow, type Row } from '../output/rows.js';
import { accessOf } from '../settings/resolve-settings.js';
import { postMessage } from './post-message.js';

/** The protocol version in which a call needs no session. */
const PROTOCOL_VERSION = '2025-06-18';

/** Calls a tool of the MCP server. @returns its structured content. @throws CliError with the tool's refusal */
export async function callTool(cli: Cli, name: string, args: Row): Promise<Row> {
  const { fetch, signal } = cli.context;
  const { url, key } = accessOf(await cli.settings());
  const params = { name, arguments: args };
  const access = { url, key, fetch, signal, protocolVersion: PROTOCOL_VERSION };
  try {
    for await (const { id, result, error } of postMessage(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      access,
    )) {
      if (id !== 1) continue;
      if (error !== undefined) throw failure(error.message);
      return contentOf(result);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${new URL(url).host} can't be reached`, exitCodes.server, { retryable: true });
  }
  throw failure(`${url}/mcp did not answer the call`);
}

function contentOf(result: unknown): Row {
  if (!isRow(result)) throw failure('the answer of the tool is empty');
  const content = result.structuredContent;
  if (result.isError !== true && isRow(content)) return content;
  const [first] = Array.isArray(result.content) ? result.content.filter(isRow) : [];
  throw new CliError(refusalOf(String(first?.text ?? 'the tool failed')), exitCodes.usage);
}

/** The reason in a refusal, without the parts that are for a language model. */
function refusalOf(text: string): string {
  const lines = text.replace(/^Input validation error: Invalid arguments for tool \w+: /, '').split('\n');
  const boundary = /loglane-data-[\da-f]{24}/.exec(text)?.[0];
  return lines.filter((line) => boundary === undefined || !line.includes(boundary)).join('\n');
}
