import { z } from '@hono/zod-openapi';
import { answerWindow, toAnswerWindow } from '../../../../shared/reads/answer/windows.js';
import { arrivedPlatform, arrivedSource } from '../../arrivals/arrived-source.js';
import { guideOfSource } from '../../guides/all-guides.js';
import { quickOrSlow } from '../../operation/answer-or-buffer.js';
import { type WebsiteContext, websiteRead } from '../../operation/operation.js';
import { optionalHoursParameter, wholeNumber, windowParameters } from '../../operation/parameters.js';
import { resolveWindow } from '../../operation/resolve-scope.js';
import { targetOfPlatform } from '../../snippets/all-snippets.js';
import {
  type SnippetTargetName,
  type SnippetType,
  snippetTargetNames,
  snippetTypes,
  unable,
} from '../../snippets/target.js';
import { TAG } from './recommendation.js';
import { recommendationInput } from './recommendation-input.js';
import { MOST_ENTRIES, readSnippet, snippetFields } from './recommendation-snippet.js';

/** Spec §4.8 for addresses and bots. Seven days for paths: one day without requests does not prove that a page is gone. */
const DEFAULT_HOURS = { block_ips: 24, block_bots: 24, gone_404s: 168 } as const satisfies Record<
  SnippetType,
  number
>;
const HOURS_A_DAY = 24;
const STILL_READING = 'The logs are still being read: repeat the same call after Retry-After.';

const { start, end } = windowParameters();

export const getSnippet = websiteRead({
  id: 'getRecommendationSnippet',
  tag: TAG,
  path: '/recommendations/snippet',
  summary: 'Recommendations as configuration',
  description: `The recommendations of a list as configuration for a CDN, a web server, a static host or robots.txt, at most ${MOST_ENTRIES} entries. Nothing is applied. Resolved items, addresses of shared networks, proved crawlers and addresses published by search engines are left out; \`notes\` lists the omissions. An impostor is matched by bot name and address together, so the real bot is not affected. A path is listed if no request for it in the window was answered 2xx or 3xx.`,
  query: z.object({
    type: z.enum(snippetTypes).openapi({
      description:
        'block_ips: `ips_to_block`; block_bots: `unverified_bots`; gone_404s: answer 410 for `paths_404`.',
      example: 'block_ips',
    }),
    target: z.enum(snippetTargetNames).optional().openapi({
      description:
        "Default: the current log source, if it is one of these; else from the website's source_type (aws: cloudfront; akamai and vector: nginx). If the target can not do it, the snippet is empty and notes name targets that can.",
      example: 'nginx',
    }),
    hours: optionalHoursParameter(
      'Rolling window ending now. Default: `days`, else 24, and 168 for gone_404s. Ignored when start and end are both given.',
    ),
    days: wholeNumber({ min: 1, max: 365 }).optional().openapi({
      type: 'integer',
      minimum: 1,
      maximum: 365,
      description: 'Window in days, if hours is absent.',
    }),
    start,
    end,
  }),
  answer: z.object({
    ...snippetFields,
    window: answerWindow,
    data_buffering: z.boolean().openapi({
      description: `true: the snippet is empty because the query is still running. Repeat the same call after Retry-After.`,
    }),
  }),
  async run(input, context) {
    const { website, services, now } = context;
    const { type, target = usualTarget(context) } = input;
    const byDays = input.days === undefined ? DEFAULT_HOURS[type] : input.days * HOURS_A_DAY;
    const hours = input.hours ?? byDays;
    const window = resolveWindow({ hours, start: input.start, end: input.end }, now);
    const time = { window: toAnswerWindow(window) };
    const question = [
      type,
      target,
      input.start !== undefined && input.end !== undefined ? [input.start, input.end] : hours,
    ];
    const found = await quickOrSlow(services, {
      key: JSON.stringify(['getRecommendationSnippet', website.id, ...question]),
      owner: website.organisationId,
      read: (reader) =>
        readSnippet(
          reader,
          { websiteId: website.id, window, filters: {} },
          { ...recommendationInput(context), type, target },
        ),
    });
    if (found.ready) return { ...found.value, ...time, data_buffering: false };
    const { filename, count, text, notes } = unable('', STILL_READING);
    return {
      type,
      target,
      filename,
      count,
      entries: [],
      snippet: text,
      notes: [...notes],
      ...time,
      data_buffering: true,
    };
  },
});

function usualTarget({ website, now, services }: WebsiteContext): SnippetTargetName {
  const recent = services.uploads.recent(website.id, now);
  const guide = guideOfSource(arrivedSource(recent) ?? '');
  const targetOfGuide = snippetTargetNames.find((name) => name === guide);
  return targetOfGuide ?? targetOfPlatform[arrivedPlatform(recent, website.sourceType)];
}
