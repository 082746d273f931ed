import type { Enrichment } from '../requests/enriched-request.js';
import type { RawRequest } from '../requests/raw-request.js';
import { decodedQuery, decodedText } from './decoded-text.js';
import { isInjection } from './injection-marks.js';
import {
  archiveEnds,
  attackTools,
  guessedArchives,
  guessedEnds,
  guessedSteps,
  secretEnds,
  secretSteps,
} from './probe-lists.js';

/**
 * Which requests only somebody makes who looks for holes. Pure, and linear in the text: no expression that can backtrack, look-ups in
 * sets alone.
 *
 * Two grades. What no honest client asks any website for is a probe whatever it is answered: a secret that was really handed out
 * is the worst case. What some websites have, such as /wp-login.php, is one only where it was answered 4xx, since the
 * website's own people get 200 or a redirect there.
 */

/** What tells a probe. */
export type ProbedRequest = Pick<RawRequest, 'status' | 'user_agent'>;
export type ProbedTarget = Pick<Enrichment, 'path' | 'sent_target'>;
export type ProbedRow = ProbedTarget & Pick<Enrichment, 'query' | 'bot_name'>;

/**
 * Whether the request is a probe, by whatever client. A verified crawler follows links that others set, so readers leave out its probes. They
 * do, and not this function, since a verdict may come late.
 */
export function isProbe({ status, user_agent }: ProbedRequest, row: ProbedRow): boolean {
  const { query, bot_name } = row;
  return (
    isProbingAgent(user_agent, bot_name) || isProbingQuery(query) || isProbedTarget(row, wasRefused(status))
  );
}

/** The parts of {@link isProbe} follow: the enricher asks each once for many rows. */
export function isProbingAgent(userAgent: string, botName: string): boolean {
  if (botName !== '' && attackTools.has(botName)) return true;
  // Shellshock and Log4Shell stand in headers.
  return userAgent.includes('{') && (userAgent.includes('() {') || userAgent.includes('${jndi:'));
}

export function isProbingQuery(query: string): boolean {
  return query !== '' && isInjection(decodedQuery(query));
}

/** 429 tells of how much was asked, not of what. */
export function wasRefused(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Whether the path tells a probe, as it is stored or as it was sent: only that has the steps up to a parent directory. */
export function isProbedTarget({ path, sent_target }: ProbedTarget, isRefused: boolean): boolean {
  if (isProbedPath(path, isRefused)) return true;
  if (sent_target === '') return false;
  const mark = sent_target.indexOf('?');
  return isProbedPath(mark < 0 ? sent_target : sent_target.slice(0, mark), isRefused);
}

/** Whether the path alone tells a probe. @param path as it was logged. @param isRefused whether the answer was 4xx: what some websites have counts then, too */
export function isProbedPath(path: string, isRefused: boolean): boolean {
  const isEncoded = path.includes('%');
  // A path without these bytes is a page or a file: most are, and cost no more than this.
  if (!isEncoded && !isRefused && !path.includes('/.') && !path.includes('..'))
    return endsWithOneOf(path, secretEnds);
  const text = decodedText(path);
  if (namesSecret(text, isRefused) || endsWithOneOf(text, secretEnds)) return true;
  if (text.includes('../..') || text.includes('..;/') || text.includes('..\\')) return true;
  if (isEncoded && (text.includes('\0') || isInjection(text))) return true;
  return isRefused && (text.includes('/../') || isGuess(text));
}

/** Without a function made anew for each text: this is asked of every path. */
function endsWithOneOf(text: string, ends: readonly string[]): boolean {
  for (const end of ends) if (text.endsWith(end)) return true;
  return false;
}

/** `.env`, `.git` and the like in one of the first two steps. Further down they may be files of a website that shows source code. */
function namesSecret(text: string, isRefused: boolean): boolean {
  let from = 0;
  for (let depth = 1; depth <= 2 || isRefused; depth += 1) {
    const slash = text.indexOf('/', from);
    if (slash < 0) return false;
    from = slash + 1;
    if (text[from] !== '.') continue;
    const end = text.indexOf('/', from);
    const step = text.slice(from, end < 0 ? text.length : end);
    if (secretSteps.has(step) || step === '.env') return true;
    if (step.startsWith('.env') && '.-_'.includes(step[4]!)) return true;
  }
  return false;
}

/** What some websites have. @param text of `decodedText` */
function isGuess(text: string): boolean {
  for (let from = 0; from < text.length; ) {
    const slash = text.indexOf('/', from);
    const end = slash < 0 ? text.length : slash;
    if (end > from && guessedSteps.has(text.slice(from, end))) return true;
    from = end + 1;
  }
  if (endsWithOneOf(text, guessedEnds)) return true;
  return isWordPressScript(text) || isLeftArchive(text);
}

/** Scripts of extensions are ways in. The website's own pages call admin-ajax.php, which answers 400 to whoever is logged out. */
function isWordPressScript(text: string): boolean {
  if (text.includes('/wp-admin/')) return !text.endsWith('/admin-ajax.php');
  return text.endsWith('.php') && (text.includes('/wp-content/') || text.includes('/wp-includes/'));
}

function isLeftArchive(text: string): boolean {
  const end = archiveEnds.find((one) => text.endsWith(one));
  return end !== undefined && guessedArchives.has(text.slice(text.lastIndexOf('/') + 1, -end.length));
}
