import { describe, expect, test } from 'vitest';
import { showWebhookSecret } from '../../../deploy/admin/server/show-webhook-secret.js';
import { PATIENCE, useNotifications } from '../../../test/harness/jobs/notifications-store.js';
import { startLocalServer } from '../../../test/harness/local-server.js';

const { set, open, fire, receiver, desk, given } = useNotifications();

describe('a webhook', () => {
  test('to a private address is not requested and is dead at once, with the reason', async () => {
    const { control, ring, websiteId } = given();
    const inside = await receiver();
    await showWebhookSecret({ websiteId, isNew: false }, { control, ring });
    const urls = [
      `http://127.0.0.1:${inside.port}/`,
      'http://127.0.0.1/',
      'http://2130706433/',
      'http://[::ffff:127.0.0.1]/',
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
      'http://user:password@10.0.0.1/',
      'https://10.0.0.1:6443/',
    ];
    await set({ webhook_notifications_enabled: true, webhook_urls: urls });
    await open();
    await fire();
    const dead = () => desk().list({ status: 'dead', websiteId });
    await expect.poll(async () => (await dead()).length, PATIENCE).toBe(urls.length);
    for (const { attempts, reason } of await dead()) {
      expect(attempts).toBe(1);
      expect(reason).toMatch(/only public addresses are fetched|not a URL that can be fetched/);
    }
    expect(inside.connections()).toBe(0);
  }, 400_000);

  test('that redirects or fails is retried and reaches no other place; without a secret nothing is sent', async () => {
    const { control, ring, websiteId } = given();
    const inside = await receiver();
    const moved = await startLocalServer((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${inside.port}/` }).end(),
    );
    const failing = await receiver(() => 500);
    await set({
      webhook_notifications_enabled: true,
      webhook_urls: [failing.url, `http://127.0.0.1:${moved.port}/`],
    });
    await open([inside.port, moved.port, failing.port]);
    await fire();
    const reasons = async () =>
      (await desk().list({ status: 'pending', websiteId })).map(({ reason }) => reason).sort();
    const none = 'there is no secret to sign it with: make one (alerts webhook-secret)';
    await expect.poll(reasons, PATIENCE).toEqual([none, none]);
    expect(failing.calls).toEqual([]);
    await showWebhookSecret({ websiteId, isNew: false }, { control, ring });
    await fire({ type: 'new_bot', subject: 'NewBot' });
    await expect
      .poll(async () => (await reasons()).filter((reason) => reason !== none), PATIENCE)
      .toEqual(['it answered 307, and redirects are not followed', 'it answered 500']);
    expect(inside.connections()).toBe(0);
  }, 400_000);
});
