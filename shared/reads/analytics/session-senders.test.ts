import { describe, expect, test } from 'vitest';
import { loadReferrerList } from '../../crawlers/referrers.js';
import { createSenders } from './session-senders.js';

const senderOf = createSenders(loadReferrerList());

describe('the sender of a session', () => {
  test.each([
    ['chatgpt.com', 'referral', 'OpenAI'],
    ['ChatGPT.com', '(not set)', 'OpenAI'],
    ['perplexity', 'ai', 'Perplexity'],
    ['gemini.google.com', 'referral', 'Google'],
    ['www.perplexity.ai', 'referral', 'Perplexity'],
    ['copilot.microsoft.com', 'organic', 'Microsoft'],
  ])('is an assistant if the source %s (%s) names one', (source, medium, operator) => {
    expect(senderOf(source, medium)).toEqual({ aiOperator: operator, isSearch: false });
  });

  test.each([
    ['google', 'organic', true],
    ['duckduckgo.com', 'referral', true],
    ['bing.com', '(none)', true],
    ['google', 'cpc', false],
    ['google.com', 'cpc', false],
    ['(direct)', '(none)', false],
    ['newsletter', 'email', false],
    ['constructor', '__proto__', false],
    ['a.'.repeat(50_000), 'referral', false],
  ])('is a search engine or not: %s (%s)', (source, medium, isSearch) => {
    expect(senderOf(source, medium)).toEqual({ aiOperator: '', isSearch });
  });
});
