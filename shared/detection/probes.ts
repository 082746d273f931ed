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
 * Recognises requests that search for vulnerabilities. Pure and linear in the text: set look-ups only, no backtracking
 * expressions.
 *
 * Two grades. A target that no honest client requests is a probe with any status: a secret that was served is the worst
 * case. A target that some websites have, such as /wp-login.php, is a probe only with status 4xx, since the website's
 * own staff get 200 or a redirect.
 */

/** Fields that decide whether a request is a probe. */
export type ProbedRequest = Pick<RawRequest, 'status' | 'user_agent'>;
export type ProbedTarget = Pick<Enrichment, 'path' | 'sent_target'>;
export type ProbedRow = ProbedTarget & Pick<Enrichment, 'query' | 'bot_name'>;

/**
 * Whether the request is a probe, from any client. Readers exclude the probes of verified crawlers, which follow links
 * of third parties. This function cannot exclude them, since verification may finish later.
 */
export function isProbe({ status, user_agent }: ProbedRequest, row: ProbedRow): boolean {
  const { query, bot_name } = row;
  return (
    isProbingAgent(user_agent, bot_name) || isProbingQuery(query) || isProbedTarget(row, wasRefused(status))
  );
}

/** The parts of {@link isProbe}. The enricher caches their results across rows. */
export function isProbingAgent(userAgent: string, botName: string): boolean {
  if (botName !== '' && attackTools.has(botName)) return true;
  // Shellshock and Log4Shell are sent in headers.
  return userAgent.includes('{') && (userAgent.includes('() {') || userAgent.includes('${jndi:'));
}

export function isProbingQuery(query: string): boolean {
  return query !== '' && isInjection(decodedQuery(query));
}

/** 429 depends on the number of requests, not on the target. */
export function wasRefused(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Checks the path both as stored and as sent: only the sent path has steps to a parent directory. */
export function isProbedTarget({ path, sent_target }: ProbedTarget, isRefused: boolean): boolean {
  if (isProbedPath(path, isRefused)) return true;
  if (sent_target === '') return false;
  const mark = sent_target.indexOf('?');
  return isProbedPath(mark < 0 ? sent_target : sent_target.slice(0, mark), isRefused);
}

/**
 * Whether the path alone shows a probe.
 * @param path as logged
 * @param isRefused whether the status was 4xx: targets that some websites have count only then
 */
export function isProbedPath(path: string, isRefused: boolean): boolean {
  const isEncoded = path.includes('%');
  // Fast path: most paths are pages or files without these bytes.
  if (!isEncoded && !isRefused && !path.includes('/.') && !path.includes('..'))
    return endsWithOneOf(path, secretEnds);
  const text = decodedText(path);
  if (namesSecret(text, isRefused) || endsWithOneOf(text, secretEnds)) return true;
  if (text.includes('../..') || text.includes('..;/') || text.includes('..\\')) return true;
  if (isEncoded && (text.includes('\0') || isInjection(text))) return true;
  return isRefused && (text.includes('/../') || isGuess(text));
}

/** No closure: called for every path. */
function endsWithOneOf(text: string, ends: readonly string[]): boolean {
  for (const end of ends) if (text.endsWith(end)) return true;
  return false;
}

/**
 * `.env`, `.git` and similar in the first two segments. Deeper ones may be files of a website that shows source code.
 */
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

/** Targets that some websites have. @param text of `decodedText` */
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

/**
 * Scripts of extensions are attack targets. The website's own pages call admin-ajax.php, which answers 400 to
 * logged-out visitors.
 */
function isWordPressScript(text: string): boolean {
  if (text.includes('/wp-admin/')) return !text.endsWith('/admin-ajax.php');
  return text.endsWith('.php') && (text.includes('/wp-content/') || text.includes('/wp-includes/'));
}

function isLeftArchive(text: string): boolean {
  const end = archiveEnds.find((one) => text.endsWith(one));
  return end !== undefined && guessedArchives.has(text.slice(text.lastIndexOf('/') + 1, -end.length));
}
