import { expect, test } from 'vitest';
import { sitemapLimits } from '../../sitemaps/limits.js';
import { findPlan, isPurchasable, planOf, plans } from './plans.js';

test('hourly limits are those of the specification', () => {
  const limits = Object.fromEntries(plans.map(({ id, hourlyApiLimit }) => [id, hourlyApiLimit]));
  expect(limits).toEqual({
    free: null,
    basic: 50,
    starter: 100,
    growth: 500,
    scale: 2_000,
    unlimited: 10_000,
    professional: 500,
    enterprise: 2_000,
  });
});

test('only current paid plans are for sale, each with the 14-day trial', () => {
  const forSale = plans.filter(isPurchasable);
  expect(forSale.map(({ id }) => id)).toEqual(['basic', 'starter', 'growth', 'scale', 'unlimited']);
  expect(forSale.every(({ trialDays }) => trialDays === 14)).toBe(true);
});

test('Starter and every plan above have the Starter reads; Free and Basic do not', () => {
  const without = plans.filter(({ features }) => !features.includes('starter'));
  expect(without.map(({ id }) => id)).toEqual(['free', 'basic']);
});

test('a more expensive public plan never has lower limits', () => {
  const offered = plans.filter((plan) => plan.public);
  for (const [index, plan] of offered.entries()) {
    const cheaper = offered[index - 1];
    if (cheaper === undefined) continue;
    expect(plan.priceMonthlyUsd).toBeGreaterThan(cheaper.priceMonthlyUsd);
    expect(plan.retentionDays).toBeGreaterThanOrEqual(cheaper.retentionDays);
    expect(plan.rowsPerHour).toBeGreaterThan(cheaper.rowsPerHour);
    expect(plan.bytesPerHour).toBeGreaterThan(cheaper.bytesPerHour);
    expect(plan.listedUrls).toBeGreaterThanOrEqual(cheaper.listedUrls);
    expect(plan.hourlyApiLimit ?? 0).toBeGreaterThan(cheaper.hourlyApiLimit ?? 0);
  }
});

test('no plan allows more listed URLs than one read of sitemaps does', () => {
  for (const { listedUrls } of plans) expect(listedUrls).toBeLessThanOrEqual(sitemapLimits.urls);
});

test('an unknown plan is an error', () => {
  expect(findPlan('gold')).toBeUndefined();
  const organisation = {
    id: 'org_1',
    name: 'Shop',
    planId: 'gold',
    trial: null,
    customerId: null,
    subscription: null,
    createdAt: '',
  };
  expect(() => planOf(organisation, 0)).toThrow('gold');
});
