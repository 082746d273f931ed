import { PublicError } from '../../../../shared/errors.js';
import { quote } from '../util/cut-text.js';
import {
  apacheChosen,
  apachePart,
  type Chosen,
  isList,
  nginxChosen,
  nginxPart,
  type Part,
} from './template-variables.js';

/** The parts of a log format: `literals[i]` precedes variable i, and the last literal follows all variables. */
export interface Layout {
  readonly literals: readonly string[];
  readonly variables: readonly Variable[];
}

export interface Variable {
  /** As written by the sender. */
  readonly name: string;
  readonly part: Part;
  /** Whether it may be `a, b` if only a space ends it. */
  readonly isList: boolean;
  /** How many spaces its text always has. */
  readonly spaces: number;
  readonly chosen: Chosen;
}

const LONGEST_FORMAT = 4_096;
const MOST_VARIABLES = 64;

/**
 * Reads a format in nginx's notation (`$remote_addr … [$time_local] "$request"`) or Apache's (`%h %t "%r"`).
 * @throws PublicError (400) for a format without the parts that a request needs
 */
export function readFormat(written: string): Layout {
  const format = written.trim().replaceAll('\\"', '"').replaceAll('\\t', '\t');
  if (format.length > LONGEST_FORMAT) throw refused(`longer than ${LONGEST_FORMAT} characters`);
  if (/[\r\n]/.test(format)) throw refused('holds a line end; join its lines to one');
  const layout = cutFormat(format);
  if (layout.variables.length > MOST_VARIABLES) throw refused(`more than ${MOST_VARIABLES} variables`);
  refuseIncomplete(layout);
  refuseChosen(layout);
  return layout;
}

/** The refusal (400) of a format without the parts that a request needs. */
export function refused(why: string): PublicError {
  return new PublicError('invalid_request', `format: ${why}`);
}

/** `$name`, `${name}`. */
const NGINX_VARIABLE = /\$(?:\{([A-Za-z0-9_]+)\}|([A-Za-z0-9_]+))/g;
/** `%` with statuses, `<` or `>`, a name in braces and a letter; `%%` is a percent sign. */
const APACHE_DIRECTIVE = /%(?:%|!?[\d,]*[<>]?(?:\{([^{}]*)\})?(\^?[A-Za-z]{1,2}))/g;

function cutFormat(format: string): Layout {
  const isNginx = /\$[{A-Za-z]/.test(format);
  const literals: string[] = [''];
  const variables: Variable[] = [];
  let from = 0;
  const addText = (text: string) => {
    literals[literals.length - 1] += text;
  };
  const add = (variable: Variable) => {
    const last = variables.at(-1);
    if (last !== undefined && literals.at(-1) === '') variables[variables.length - 1] = join(last, variable);
    else {
      variables.push(variable);
      literals.push('');
    }
  };
  for (const match of format.matchAll(isNginx ? NGINX_VARIABLE : APACHE_DIRECTIVE)) {
    addText(format.slice(from, match.index));
    from = match.index + match[0].length;
    if (isNginx) {
      const name = match[1] ?? match[2]!;
      const spaces = name === 'time_local' ? 1 : 0;
      const chosen = nginxChosen(name);
      add({ name: `$${name}`, part: nginxPart(name), isList: isList(name), spaces, chosen });
    } else if (match[0] === '%%') addText('%');
    else {
      // Only directives that begin with ^ have two letters and more.
      const letters = match[2]!;
      const letter = letters.startsWith('^') ? letters : letters[0]!;
      from -= letters.length - letter.length;
      const name = match[1] ?? '';
      const spaces = letter === 't' ? name.split(' ').length - 1 : 0;
      const [part, chosen] = [apachePart(letter, name), apacheChosen(letter, name)];
      const variable = { name: match[0], part, isList: isList(name), spaces, chosen };
      // Apache's own time includes its brackets.
      const bracketed = letter === 't' && name === '';
      if (bracketed) addText('[');
      add(variable);
      if (bracketed) addText(']');
    }
  }
  addText(format.slice(from));
  return { literals, variables };
}

/** Variables that may follow each other directly, because they are parts of one value. */
const joined: ReadonlyMap<string, Part> = new Map([
  ['path is_args', 'target'],
  ['path query', 'target'],
  ['target args', 'target'],
  ['host target', 'host_and_target'],
  ['host path', 'host_and_target'],
  ['server_name target', 'host_and_target'],
  ['server_name path', 'host_and_target'],
  ['host_and_target is_args', 'host_and_target'],
  ['host_and_target args', 'host_and_target'],
  ['host_and_target query', 'host_and_target'],
]);

function join(first: Variable, second: Variable): Variable {
  const part = joined.get(`${first.part} ${second.part}`);
  if (part !== undefined) {
    return { name: first.name + second.name, part, isList: false, spaces: 0, chosen: 'text' };
  }
  throw refused(`nothing stands between ${quote(first.name)} and ${quote(second.name)} to tell them apart`);
}

function refuseIncomplete({ variables }: Layout): void {
  const parts = new Set(variables.map(({ part }) => part));
  const has = (...some: readonly Part[]) => some.some((part) => parts.has(part));
  const missing: string[] = [];
  if (!has('time')) missing.push('a time ($time_local, %t)');
  if (!has('address', 'forwarded_for', 'client')) missing.push('the client’s address ($remote_addr, %a)');
  if (!has('request') && !(has('method') && has('target', 'path', 'host_and_target'))) {
    missing.push('the request ($request, %r; or its method and URI)');
  }
  if (!has('status')) missing.push('the status ($status, %>s)');
  if (missing.length > 0) throw refused(`lacks ${missing.join(', ')}`);
}

/** Parts that no client may choose. */
const ofServer: ReadonlySet<Part> = new Set<Part>([
  'time',
  'address',
  'client',
  'forwarded_for',
  'status',
  'host',
  'server_name',
  'seconds',
  'milliseconds',
  'microseconds',
]);

/**
 * A line is read from left to right. A client that writes the end of its variable also chooses the variables after
 * it, up to the next quote. Servers escape the quotes of clients.
 */
function refuseChosen(layout: Layout): void {
  const { literals, variables } = layout;
  for (const [index, { name, chosen }] of variables.entries()) {
    if (chosen === 'nothing') continue;
    for (
      let next = isUserBeforeTime(layout, index) ? index + 2 : index + 1;
      next < variables.length;
      next++
    ) {
      if (literals[next]!.includes('"')) break;
      if (chosen === 'word' && /\s/.test(literals[next]!)) break;
      const behind = variables[next]!;
      if (!ofServer.has(behind.part)) continue;
      throw refused(
        `a client could choose ${quote(behind.name)} by what it writes into ${quote(name)} before it; log ${quote(name)} in double quotes or at the end`,
      );
    }
  }
}

/** Whether this is a user's name that ends at a quote after the time: `$remote_user [$time_local] "`. */
export function isUserBeforeTime({ literals, variables }: Layout, index: number): boolean {
  const name = variables[index]!.name;
  if (name !== '$remote_user' && name !== '%u') return false;
  return literals[index + 1]!.endsWith('[') && literals[index + 2]?.includes('"') === true;
}
