/** A read of a website. */
export interface BenchedRead {
  /** Path below the website's address, with its required values. */
  readonly name: string;
  /** `bounds`: takes start and end; `hours`: only a length until now; `fixed`: no window. */
  readonly window: 'bounds' | 'hours' | 'fixed';
}

/** The parts of the OpenAPI document that the bench uses. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>>;
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly schema?: { readonly example?: unknown };
}

const WEBSITE = '/public/v1/websites/{website_id}/';

/** Values of the shop, in place of the document's examples. */
const values: ReadonlyMap<string, string> = new Map([
  ['path', '/'],
  ['url_path', '/'],
]);

/** All reads of a website in the document. A download needs an export, and reads no store. */
export function readsOf({ paths }: ApiDocument): BenchedRead[] {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined || !path.startsWith(WEBSITE) || path.endsWith('/download')) return [];
    return [readOf(path.slice(WEBSITE.length), get.parameters ?? [])];
  });
}

function readOf(path: string, parameters: readonly Parameter[]): BenchedRead {
  const names = new Set(parameters.map(({ name }) => name));
  const exampleOf = ({ name = '', schema }: Parameter) => values.get(name) ?? String(schema?.example);
  const placed = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, one) => text.replace(`{${one.name}}`, encodeURIComponent(exampleOf(one))), path);
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map((one) => `${one.name}=${encodeURIComponent(exampleOf(one))}`);
  const window = names.has('start') ? 'bounds' : names.has('hours') ? 'hours' : 'fixed';
  return { name: query.length === 0 ? placed : `${placed}?${query.join('&')}`, window };
}

/** The reads of a dashboard, which are measured together. */
const mixed: ReadonlySet<string> = new Set([
  'summary',
  'traffic',
  'bots',
  'paths',
  'status-codes',
  'geography',
  'referrers',
  'devices',
  'ips',
]);

export const mixOf = (reads: readonly BenchedRead[]) => reads.filter(({ name }) => mixed.has(name));

/** Whether a read is chosen by its path. */
export const isNamed = ({ name }: BenchedRead, chosen: readonly string[]) =>
  chosen.length === 0 || chosen.includes(name.split('?', 1)[0]!);
