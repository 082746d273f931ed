import type { DemoRequest } from '../../deploy/demo/traffic/demo-request.js';
import { type DemoFormat, demoFormats } from '../../deploy/demo/traffic/formats.js';
import type { VerificationStatus } from '../../shared/requests/enriched-request.js';
import { normalTarget } from '../../shared/urls/normal-spelling.js';
import { type StoredRequest, storedRequest } from '../harness/stored-requests.js';
import { claimOf, type DemoBot } from './demo-crawlers.js';

/**
 * The rows that must be stored for the demo's requests, from the generator's knowledge of each: its sender,
 * and whether the claim is true. It parses no line, and uses no table of crawlers and no address.
 */

/** Lines in an upload of the truth tests: one block, in alternating formats. */
export const LINES_PER_UPLOAD = 1_000;

/** Servers of this family never answer reverse DNS. */
export const SILENT_FAMILY = 'Seznam';

export interface DemoRowsOptions {
  readonly websiteId: string;
  readonly domain: string;
  readonly rulesVersion: string;
}

export function demoRows(
  requests: readonly DemoRequest[],
  { websiteId, domain, rulesVersion }: DemoRowsOptions,
): StoredRequest[] {
  return requests.map((request, index) => {
    const upload = Math.floor(index / LINES_PER_UPLOAD);
    const format = demoFormats[upload % demoFormats.length]!;
    const [path = '', query = ''] = normalTarget(request.target).split('?');
    return storedRequest({
      website_id: websiteId,
      log_offset: upload,
      log_index: index % LINES_PER_UPLOAD,
      // nginx logs whole seconds.
      timestamp: format === 'combined' ? Math.floor(request.timestamp / 1_000) * 1_000 : request.timestamp,
      client_ip: spelled(request.client_ip),
      method: request.method,
      host: request.host,
      target: request.target,
      path,
      query,
      file_type: fileTypeOf(path, format, request),
      status: request.status,
      bytes_sent: request.bytes_sent,
      time_taken_ms: request.time_taken_ms,
      user_agent: request.user_agent,
      country: request.source_country,
      region: '',
      city: '',
      ...networkOf(request.client_ip),
      rules_version: rulesVersion,
      ...referralOf(request, query, domain),
      ...standingOf(request),
    });
  });
}

/** IPv6 in its shortest form, like browsers. */
function spelled(clientIp: string): string {
  return clientIp.includes(':') ? new URL(`http://[${clientIp}]/`).hostname.slice(1, -1) : clientIp;
}

/** An invented network for each first octet, since the generator does not know real ones. */
export function networkOf(clientIp: string): { asn: number; as_name: string } {
  const asn = clientIp.includes(':') ? 64_499 : 64_500 + Number.parseInt(clientIp, 10);
  return { asn, as_name: `Network ${asn}` };
}

/**
 * nginx logs no content type. Files of this site that are not pages have an extension, except answers of its
 * API.
 */
function fileTypeOf(path: string, format: DemoFormat, { content_type }: DemoRequest): string {
  const extension = /\.([a-z][a-z0-9]{0,7})$/i.exec(path)?.[1];
  if (extension !== undefined) return extension.toLowerCase();
  return format !== 'combined' && content_type === 'application/json' ? 'json' : 'html';
}

function standingOf(request: DemoRequest): Partial<StoredRequest> {
  const claim = claimOf(request);
  if (request.actor === 'undeclared_agent')
    return { traffic_class: 'undeclared_agent', bot_verification: 'undeclared' };
  if (claim === null) return { traffic_class: 'human', bot_verification: '' };
  const verification = verificationOf(request, claim);
  const { name, operator, family, category, intent, smallScreen } = claim;
  return {
    is_bot: true,
    traffic_class: verification === 'spoofed' ? 'spoofed_bot' : classOf(category),
    bot_name: name,
    bot_family: family,
    bot_operator: operator,
    bot_category: category,
    ai_intent: intent,
    bot_variant: smallScreen === '' ? '' : / Mobile /.test(request.user_agent) ? smallScreen : 'desktop',
    bot_verification: verification,
  };
}

function verificationOf({ actor }: DemoRequest, { proof, family }: DemoBot): VerificationStatus {
  if (proof === '') return 'unverifiable';
  if (family === SILENT_FAMILY) return 'pending';
  return actor === 'spoofed_bot' ? 'spoofed' : 'verified';
}

function classOf(category: DemoBot['category']): 'search_bot' | 'ai_bot' | 'other_bot' {
  if (category === 'search') return 'search_bot';
  return category === 'ai' ? 'ai_bot' : 'other_bot';
}

/** The assistants whose links the demo's visitors follow. */
const assistants = new Map([
  ['chatgpt.com', 'OpenAI'],
  ['perplexity.ai', 'Perplexity'],
  ['gemini.google.com', 'Google'],
  ['copilot.microsoft.com', 'Microsoft'],
  ['claude.ai', 'Anthropic'],
  ['chat.mistral.ai', 'Mistral AI'],
  ['grok.com', 'xAI'],
  ['chat.deepseek.com', 'DeepSeek'],
  ['meta.ai', 'Meta'],
  ['you.com', 'You.com'],
]);
const assistantTags = new Map([
  ['chatgpt.com', 'OpenAI'],
  ['perplexity', 'Perplexity'],
  ['copilot.com', 'Microsoft'],
]);
const searchEngines =
  /^(google\.(com|co\.uk|de|fr|nl)|bing\.com|duckduckgo\.com|ecosia\.org|search\.yahoo\.com|search\.brave\.com|yandex\.ru|qwant\.com)$/;
const socialNetworks =
  /^((l\.)?instagram\.com|[lm]\.facebook\.com|pinterest\.com|reddit\.com|youtube\.com|t\.co|linkedin\.com|tiktok\.com)$/;

function referralOf(
  { referrer }: DemoRequest,
  query: string,
  domain: string,
): Pick<StoredRequest, 'referrer_domain' | 'referrer_class' | 'ai_operator'> {
  const host = referrer === '' ? '' : new URL(referrer).hostname.replace(/^www\./, '');
  if (host === domain) return { referrer_domain: host, referrer_class: 'internal', ai_operator: '' };
  const tag = /(?:^|&)utm_source=([^&]*)/.exec(query)?.[1] ?? '';
  const operator = assistants.get(host) ?? assistantTags.get(tag);
  if (operator !== undefined) return { referrer_domain: host, referrer_class: 'ai', ai_operator: operator };
  return { referrer_domain: host, referrer_class: classOfHost(host), ai_operator: '' };
}

function classOfHost(host: string): 'direct' | 'search' | 'social' | 'external' {
  if (host === '') return 'direct';
  if (searchEngines.test(host)) return 'search';
  return socialNetworks.test(host) ? 'social' : 'external';
}
