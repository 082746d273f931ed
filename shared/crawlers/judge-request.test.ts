import { describe, expect, test } from 'vitest';
import { createCrawlerRules, loadRuleData } from './crawler-rules.js';
import { createJudge } from './judge-request.js';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('Lighthouse by the device that it emulates (GoogleChrome/lighthouse#14917)', () => {
  const onDevice = (version: string, platform = '') =>
    `Mozilla/5.0 (Linux; Android 11; moto g power (2022)${platform}) ${webkit} Chrome/${version} Mobile Safari/537.36`;
  const GOOGLE = 15_169;
  const classify = createJudge(createCrawlerRules(loadRuleData()), 100);
  const judge = (user_agent: string, asn: number) =>
    classify(
      { user_agent, asn, client_ip: '192.0.2.1', timestamp: Date.parse('2026-11-20'), cdn_bot_category: '' },
      () => 'pending',
    );

  test.each([
    ['141.0.0.0', GOOGLE],
    ['119.0.0.0', GOOGLE],
    ['110.0.0.0', 396_982],
  ])('is recognised in Google’s network, with Chrome %s', (version, asn) =>
    expect(judge(onDevice(version), asn)).toMatchObject({
      bot_name: 'Chrome-Lighthouse',
      bot_operator: 'Google',
      bot_category: 'tool',
      traffic_class: 'other_bot',
      device_type: 'bot',
    }),
  );

  test.each([
    ['at home', onDevice('141.0.0.0'), 3_320],
    ['in an unknown network', onDevice('141.0.0.0'), 0],
    ['with a version of its own', onDevice('98.0.4758.101'), GOOGLE],
    [
      'with a build of its own',
      onDevice('141.0.7390.70', ' Build/RRQS31; wv').replace('Chrome', 'Version/4.0 Chrome'),
      GOOGLE,
    ],
  ])('is a person’s telephone %s', (_, userAgent, asn) =>
    expect(judge(userAgent, asn)).toMatchObject({
      is_bot: false,
      bot_name: '',
      traffic_class: 'human',
      browser: 'Chrome',
      device_type: 'mobile',
    }),
  );

  test('is either one, depending on the network of each request', () => {
    const names = [GOOGLE, 3_320, GOOGLE].map((asn) => judge(onDevice('141.0.0.0'), asn).bot_name);
    expect(names).toEqual(['Chrome-Lighthouse', '', 'Chrome-Lighthouse']);
  });

  test('is recognised anywhere if it declares itself', () =>
    expect(judge(`${onDevice('141.0.0.0')} Chrome-Lighthouse`, 3_320).bot_name).toBe('Chrome-Lighthouse'));
});
