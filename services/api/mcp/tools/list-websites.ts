import type { Answer } from '../answer.js';
import { cellOf, fieldOf, listAt } from './read-fields.js';
import { operationOf, type ToolContext } from './tool.js';

const columns = ['domain', 'id', 'name', 'source_type', 'created_at'];
const MOST = 100;

export async function listWebsites(_: unknown, context: ToolContext): Promise<Answer> {
  const { json } = await context.call(operationOf(context, 'listWebsites'), {});
  const websites = listAt(json, 'websites');
  return {
    notes: [
      ...(websites.length === 0 ? ['There is no website yet. The operation createWebsite makes one.'] : []),
      ...(websites.length > MOST
        ? [`The first ${MOST} websites are shown; call_operation listWebsites has all.`]
        : []),
      ...(websites.length > 1 ? ['Other tools need website: the domain or the id.'] : []),
    ],
    coverage: { count: cellOf(json.count) },
    columns,
    rows: websites.slice(0, MOST).map((website) => columns.map((column) => cellOf(fieldOf(website, column)))),
    consoleUrl: context.console,
  };
}
