import { expect } from 'vitest';
import { checkCases } from '../../../../test/harness/jobs/check-cases.js';
import { page } from '../../../../test/harness/jobs/check-facts.js';
import { contentSecurityPolicy } from './content-security-policy.js';
import { contentTypeOptions } from './content-type-options.js';
import { framing } from './framing.js';
import { hsts } from './hsts.js';
import { referrerPolicy } from './referrer-policy.js';

const sent = (headers: Record<string, string>) => ({ page: page({}, { headers }) });
const advice = { outcome: 'ok', advisories: [expect.any(String)] };

checkCases([
  [
    hsts,
    [
      ['pass', 'for a year', {}],
      ['warn', 'not at all', sent({}), { ...advice, strict_transport_security: null }],
      ['warn', 'for a day', sent({ 'strict-transport-security': 'max-age=86400' }), advice],
      ['not_applicable', 'the page comes over http', { page: page({}, { finalUrl: 'http://example.com/' }) }],
    ],
  ],
  [
    contentSecurityPolicy,
    [
      ['pass', 'there is one', {}],
      ['warn', 'there is none', sent({}), { ...advice, value: null }],
    ],
  ],
  [
    contentTypeOptions,
    [
      ['pass', 'nosniff', {}],
      ['warn', 'nothing', sent({}), advice],
      ['warn', 'something else', sent({ 'x-content-type-options': 'sniff' }), advice],
    ],
  ],
  [
    referrerPolicy,
    [
      ['pass', 'a strict one', {}],
      ['warn', 'nothing', sent({}), advice],
      ['warn', 'one that tells all', sent({ 'referrer-policy': 'unsafe-url' }), advice],
    ],
  ],
  [
    framing,
    [
      ['pass', 'by the policy', {}],
      ['pass', 'by the older header', sent({ 'x-frame-options': 'DENY' })],
      ['warn', 'nothing', sent({ 'content-security-policy': "default-src 'self'" }), advice],
    ],
  ],
]);
