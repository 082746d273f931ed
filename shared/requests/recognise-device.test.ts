import Bowser from 'bowser';
import { expect, test } from 'vitest';
import { recogniseDevice } from './recognise-device.js';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0.0.0 Safari/537.36`,
    'Chrome',
    'Windows',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
    'Microsoft Edge',
    'Windows',
    'desktop',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox', 'Linux', 'desktop'],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/131.0.0.0 Safari/537.36`,
    'Chrome',
    'Chrome OS',
    'desktop',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari',
    'iOS',
    'mobile',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari',
    'iOS',
    'tablet',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/131.0.0.0 Mobile Safari/537.36`,
    'Chrome',
    'Android',
    'mobile',
  ],
  [
    `Mozilla/5.0 (Linux; Android 13; SM-X906B) ${webkit} Chrome/131.0.0.0 Safari/537.36`,
    'Chrome',
    'Android',
    'tablet',
  ],
  [
    'Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15',
    'Safari',
    'PlayStation',
    'console',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) ${webkit} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
    'Microsoft Edge',
    'Windows',
    'console',
  ],
  [
    `Mozilla/5.0 (Linux; Android 9; AFTKA) ${webkit} Chrome/108.0.5359.160 Mobile Safari/537.36`,
    'Chrome',
    'Android',
    'tv',
  ],
  [
    `Mozilla/5.0 (Linux; Android 11; Wear OS; SM-R870) ${webkit} Chrome/90.0 Mobile Safari/537.36`,
    'Chrome',
    'Android',
    'wearable',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/BP1A; wv) ${webkit} Version/4.0 Chrome/141.0.7390.70 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/530.0.0.40.77;]`,
    'Facebook',
    'Android',
    'mobile',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Yahoo Mail',
    'Yahoo Mail',
    'iOS',
    'mobile',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} discord/1.0.9210 Chrome/134.0.6998.205 Electron/35.3.0 Safari/537.36`,
    'Discord',
    'Windows',
    'desktop',
  ],
  ['SomeApp-9f8e7d/3.2 CFNetwork/1410.0.3 Darwin/22.6.0', 'Other', 'Other', 'other'],
  ['garbage', 'Other', 'Other', 'other'],
])('%s', (userAgent, browser, os, device_type) => {
  expect(recogniseDevice(userAgent)).toEqual({ browser, os, device_type });
});

const libraryBots = [
  ...Object.values(Bowser.BROWSER_MAP).filter((name) => Bowser.parse(name).platform.type === 'bot'),
  'PhantomJS',
];

test.each(libraryBots)('%s in the name of a phone or an app is not a person’s browser', (name) => {
  const onPhone = `Mozilla/5.0 (Linux; Android 14; ${name} 5G) ${webkit} Chrome/141.0.0.0 Mobile Safari/537.36`;
  const inApp = `Mozilla/5.0 (Linux; Android 14; K) ${webkit} Chrome/141.0.0.0 Mobile Safari/537.36 My${name}Games/2`;
  for (const userAgent of [onPhone, inApp])
    expect(recogniseDevice(userAgent)).toEqual({ browser: 'Chrome', os: 'Android', device_type: 'mobile' });
});

test('bot words that meet after a removal name no browser', () => {
  const userAgent = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36 googpingdomlebot`;
  expect(recogniseDevice(userAgent).browser).toBe('Chrome');
});

test.each([' ', '\t', '"'])('a prefix of the user agent does not change the device: %j', (before) => {
  const chrome = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36`;
  expect(recogniseDevice(`${before}${chrome}`)).toEqual(recogniseDevice(chrome));
});
