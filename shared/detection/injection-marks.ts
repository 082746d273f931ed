/** What injections into SQL, templates, shells and file names look like. Pure, and linear in the text. */

/**
 * Texts that no form and no link writes. Words alone do not count, since people search for them: `union select`, `/etc/passwd` and
 * `<script` stand in honest questions.
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

/** Every mark has one of these, every condition one of {@link words}: most texts have none and are looked at no further. */
const signs = '\'"(<{`;|\\$';
const signCodes = new Uint8Array(128);
for (const sign of signs) signCodes[sign.charCodeAt(0)] = 1;
const words = ['..', '=/', '://', '/win.', ' or ', ' and ', 'union', 'cmd=', 'exec=', 'auto_prepend'];

/** @param text of `decodedText` or `decodedQuery` */
export function isInjection(text: string): boolean {
  if (!hasSign(text) && !words.some((word) => text.includes(word))) return false;
  return (
    hasMark(text) ||
    hasFalseCondition(text, ' or ') ||
    hasFalseCondition(text, ' and ') ||
    hasUnion(text) ||
    text.endsWith("'--") ||
    text.includes("'-- ") ||
    ordersByNumber(text) ||
    commands.some((command) => isParameter(text, command))
  );
}

/** A file's name alone makes a mark: people search for what it holds. */
function hasMark(text: string): boolean {
  const ended = `${text}&`;
  return marks.some((mark) => ended.includes(mark));
}

/** What injected parameters run. */
const commands = ['cmd=id', 'cmd=whoami', 'cmd=ls', 'exec=id', 'exec=whoami', 'exec=ls'];

/** A whole parameter of a query. */
function isParameter(text: string, parameter: string): boolean {
  const at = text.indexOf(parameter);
  if (at < 0) return false;
  const end = at + parameter.length;
  return (at === 0 || '&?'.includes(text[at - 1]!)) && (end === text.length || '&; '.includes(text[end]!));
}

function hasSign(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (signCodes[text.charCodeAt(at)] === 1) return true;
  return false;
}

/** How far behind an `or` its comparison stands. */
const LONGEST_CONDITION = 12;

/** `1 or 1=1`, `' or 'a'='a`, `') or ('1'='1`: an `or` between values, and a comparison behind it. */
function hasFalseCondition(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const start = at + word.length;
    if (at === 0 || start >= text.length) continue;
    if (!isValueEdge(text[at - 1]!, ')') || !isValueEdge(text[start]!, '(')) continue;
    const end = text.indexOf('&', start);
    const condition = text.slice(start, Math.min(start + LONGEST_CONDITION, end < 0 ? text.length : end));
    if (condition.includes('=')) return true;
  }
  return false;
}

function isValueEdge(character: string, bracket: string): boolean {
  return character === "'" || character === '"' || character === bracket || isDigit(character);
}

/** `union select 1,2`, `union all select null`: people who ask what a union is go on with words. */
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

/** `' order by 50`: how many columns there are is found out so. */
function ordersByNumber(text: string): boolean {
  const at = text.indexOf("' order by ");
  return at >= 0 && at + 11 < text.length && isDigit(text[at + 11]!);
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}
