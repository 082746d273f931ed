/** Recognises injections into SQL, templates, shells and file names. Pure, and linear in the text. */

/**
 * Texts that no form and no link produces. Words alone do not count, since people search for `union select`,
 * `/etc/passwd` and `<script`.
 */
const marks = [
  '${jndi:',
  '{{7*7}}',
  '<script>alert',
  '<script>prompt',
  '<script>confirm',
  '<script>document.',
  '"><script',
  "'><script",
  'onerror=alert',
  'onload=alert',
  'javascript:alert',
  'and sleep(',
  'or sleep(',
  'select sleep(',
  "'sleep(",
  '(sleep(',
  'pg_sleep(',
  'benchmark(1',
  'benchmark(5',
  "waitfor delay '0",
  'from information_schema.',
  'exec xp_cmdshell',
  'master..xp_cmdshell',
  'and extractvalue(',
  'and updatexml(',
  "load_file('/",
  'load_file(0x',
  "into outfile '",
  "'; drop ",
  "'; exec ",
  "'; select ",
  "';select ",
  '=/etc/passwd&',
  '=/etc/passwd\0',
  '=/etc/shadow&',
  '=/proc/self/',
  '=file:///etc/',
  '=file:///proc/',
  '=file:///c:/win',
  '/win.ini',
  '\\win.ini',
  '=php://',
  '=phar://',
  '=expect://',
  '=data://text',
  '=http://169.254.169.254',
  'auto_prepend_file=',
  'eval(base64_decode(',
  ';wget http',
  '|wget http',
  '$(wget ',
  '`wget ',
  ';curl http',
  '|curl http',
  '$(curl ',
  '`curl ',
  ';cat /etc/',
  '|cat /etc/',
  '../..',
  '..\\..',
];

/**
 * Each mark and condition contains a sign or one of these words. A word is searched only if its rarest character
 * occurs.
 */
const SIGN = 1;
const kinds = new Uint8Array(128);
for (const sign of '\'"(<{`;|\\$') kinds[sign.charCodeAt(0)] = SIGN;
const wordsBy = [
  [' ', [' or ', ' and ', 'union ', 'auto_prepend']],
  ['.', ['..']],
  ['/', ['=/', '://', '/win.']],
  ['=', ['cmd=', 'exec=']],
] as const;
for (const [at, [character]] of wordsBy.entries()) kinds[character.charCodeAt(0)] = 2 << at;

/** Cheap check that rules out most texts. */
function isSuspect(text: string): boolean {
  let seen = 0;
  for (let at = 0; at < text.length; at += 1) seen |= kinds[text.charCodeAt(at)] ?? 0;
  if ((seen & SIGN) !== 0) return true;
  return wordsBy.some(
    ([, words], at) => (seen & (2 << at)) !== 0 && words.some((word) => text.includes(word)),
  );
}

/** @param text of `decodedText` or `decodedQuery` */
export function isInjection(text: string): boolean {
  if (!isSuspect(text)) return false;
  return (
    hasMark(text) ||
    hasFalseCondition(text, ' or ') ||
    hasFalseCondition(text, ' and ') ||
    hasUnion(text) ||
    text.endsWith("'--") ||
    text.includes("'-- ") ||
    ordersByNumber(text) ||
    ((text.includes('cmd=') || text.includes('exec=')) &&
      commands.some((command) => isParameter(text, command)))
  );
}

/**
 * Two adjacent characters of a mark. Each mark is indexed by its rarest pair, never by two letters alone. One pass over
 * the text then finds all marks.
 */
interface Pair {
  readonly code: number;
  readonly at: number;
}

const pairCode = (first: number, second: number) => (first << 7) | second;

/** Index of the pair's list in `markedBy`, by the pair's code; 0: no mark has the pair. */
const listOf = new Uint8Array(2 ** 14);
const markedBy: { mark: string; at: number }[][] = [[]];
for (const mark of marks) {
  const { code, at } = rarestPair(mark);
  if (listOf[code] === 0) listOf[code] = markedBy.push([]) - 1;
  markedBy[listOf[code]!]!.push({ mark, at });
}

function rarestPair(mark: string): Pair {
  const pairs = Array.from(
    { length: mark.length - 1 },
    (_, at): Pair => ({ code: pairCode(mark.charCodeAt(at), mark.charCodeAt(at + 1)), at }),
  );
  const marksWith = ({ code }: Pair) => markedBy[listOf[code]!]!.length;
  const telling = pairs.filter(({ at }) => !isWord(mark[at]!) || !isWord(mark[at + 1]!));
  return telling.reduce((best, pair) => (marksWith(pair) < marksWith(best) ? pair : best));
}

function isWord(character: string): boolean {
  return (character >= 'a' && character <= 'z') || character === ' ';
}

/** File names alone are not marks, because people search for them; hence the `&` that ends a parameter. */
function hasMark(text: string): boolean {
  const ended = `${text}&`;
  for (let at = 1, first = ended.charCodeAt(0); at < ended.length; at += 1) {
    const second = ended.charCodeAt(at);
    const list = first < 128 && second < 128 ? listOf[pairCode(first, second)]! : 0;
    first = second;
    if (list === 0) continue;
    for (const marked of markedBy[list]!) {
      const start = at - 1 - marked.at;
      if (start >= 0 && ended.startsWith(marked.mark, start)) return true;
    }
  }
  return false;
}

const commands = ['cmd=id', 'cmd=whoami', 'cmd=ls', 'exec=id', 'exec=whoami', 'exec=ls'];

/** Whether the text is a complete query parameter. */
function isParameter(text: string, parameter: string): boolean {
  const at = text.indexOf(parameter);
  if (at < 0) return false;
  const end = at + parameter.length;
  return (at === 0 || '&?'.includes(text[at - 1]!)) && (end === text.length || '&; '.includes(text[end]!));
}

const EQUALS = 61;
const AMPERSAND = 38;
/** Longest distance between an `or` and its comparison. */
const LONGEST_CONDITION = 12;

/** `1 or 1=1`, `' or 'a'='a`, `') or ('1'='1`: an `or` between values, followed by a comparison. */
function hasFalseCondition(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const start = at + word.length;
    if (at === 0 || start >= text.length) continue;
    if (!isValueEdge(text[at - 1]!, ')') || !isValueEdge(text[start]!, '(')) continue;
    if (compares(text, start)) return true;
  }
  return false;
}

function compares(text: string, start: number): boolean {
  const end = Math.min(start + LONGEST_CONDITION, text.length);
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === EQUALS || code === AMPERSAND) return code === EQUALS;
  }
  return false;
}

function isValueEdge(character: string, bracket: string): boolean {
  return character === "'" || character === '"' || character === bracket || isDigit(character);
}

/** `union select 1,2`, `union all select null`. In ordinary questions about unions, words follow. */
function hasUnion(text: string): boolean {
  for (let at = text.indexOf('union '); at >= 0; at = text.indexOf('union ', at + 6)) {
    let next = at + 6;
    if (text.startsWith('all ', next)) next += 4;
    if (!text.startsWith('select ', next)) continue;
    next += 7;
    const selected = selectedValues.some((value) => text.startsWith(value, next));
    if (selected || (next < text.length && isDigit(text[next]!))) return true;
  }
  return false;
}

const selectedValues = [
  'null',
  'concat(',
  'char(',
  'chr(',
  '@@',
  "'",
  'version(',
  'user(',
  'database(',
  '0x',
];

/** `' order by 50`: attackers probe the number of columns this way. */
function ordersByNumber(text: string): boolean {
  const at = text.indexOf("' order by ");
  return at >= 0 && at + 11 < text.length && isDigit(text[at + 11]!);
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}
