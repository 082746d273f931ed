import { describe, expect, it } from 'vitest';
import { changesOf } from './alert-setting-changes.js';

const config = {
  alerts_enabled: true,
  digest_enabled: false,
  digest_send_hour_utc: 7,
  suppressed_bots: ['AhrefsBot'],
  email_disabled_types: ['scraper', 'new_bot'],
  webhook_urls: ['https://hooks.example.com/…'],
};
const controls = new Set(Object.keys(config).filter((name) => name !== 'webhook_urls'));

function formWith(...fields: (readonly [name: string, value: string])[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}
const unchanged = [
  ['alerts_enabled', 'on'],
  ['digest_send_hour_utc', '7'],
  ['suppressed_bots', 'AhrefsBot'],
  ['email_disabled_types', 'scraper'],
  ['email_disabled_types', 'new_bot'],
] as const;

describe('the changes of the form of alert settings', () => {
  it('are none for the values that were read', () => {
    expect(changesOf(controls, formWith(...unchanged), config)).toEqual({});
  });

  it('are only the values that differ, each of its kind', () => {
    const form = formWith(
      ['digest_enabled', 'on'],
      ['digest_send_hour_utc', '18'],
      ['suppressed_bots', ' AhrefsBot \r\n\r\nMJ12bot, v2\r\n'],
    );
    expect(changesOf(controls, form, config)).toEqual({
      alerts_enabled: false,
      digest_enabled: true,
      digest_send_hour_utc: 18,
      suppressed_bots: ['AhrefsBot', 'MJ12bot, v2'],
      email_disabled_types: [],
    });
  });

  it('are none of a setting that the form does not have', () => {
    expect(changesOf(new Set(['digest_send_hour_utc']), formWith(...unchanged), config)).toEqual({});
  });
});
