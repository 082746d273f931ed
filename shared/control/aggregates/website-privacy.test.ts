import { expect, test } from 'vitest';
import { granted, openTestPlane } from '../../../test/harness/control-plane.js';
import { defaultPrivacy } from './website-privacy.js';

async function open() {
  const { control } = await openTestPlane();
  const { id } = granted(
    await control.execute({ type: 'createOrganisation', name: 'Shop', planId: 'scale' }, 'admin'),
  );
  const made = granted(
    await control.execute({ type: 'createWebsite', organisationId: id, domain: 'shop.example' }, 'admin'),
  );
  const websiteId = made.website.id;
  const set = (given: { addressDays?: number | null; botsOnly?: boolean }, of = websiteId) =>
    control.execute({ type: 'setWebsitePrivacy', websiteId: of, ...given }, 'admin');
  return { control, websiteId, made, set };
}

test('a website keeps all data by default, and settings that are not given stay', async () => {
  const { made, set } = await open();
  expect(made.website.privacy).toEqual(defaultPrivacy);
  expect(granted(await set({ addressDays: 7 })).privacy).toEqual({ ...defaultPrivacy, addressDays: 7 });
  const bots = granted(await set({ botsOnly: true })).privacy;
  expect(bots).toMatchObject({ addressDays: 7, botsOnly: true });
  expect(bots.botsOnlyChangedAt).not.toBeNull();
  expect(granted(await set({ addressDays: null })).privacy).toEqual({ ...bots, addressDays: null });
});

test('an unchanged setting creates no event', async () => {
  const { control, websiteId, set } = await open();
  await set({ addressDays: 7 });
  const before = control.state().versions.get(`website/${websiteId}`);
  await set({ addressDays: 7, botsOnly: false });
  expect(control.state().versions.get(`website/${websiteId}`)).toBe(before);
});

test.each([0, -1, 1.5, 40_000])('%d days are refused', async (addressDays) => {
  const { set } = await open();
  expect(await set({ addressDays })).toMatchObject({ refusal: { code: 'invalid_request' } });
});

test('an unknown website is refused', async () => {
  const { set } = await open();
  expect(await set({ addressDays: 7 }, 'web_none')).toMatchObject({ refusal: { code: 'not_found' } });
});
