import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs, hourMs } from '#contract/time.ts';
import { newId } from '#lib/id.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import { until } from '#test/until.ts';
import { insertAlert, insertChannel, insertDelivery } from '../store/alerts.ts';
import { openAlerting } from './testing/alert-home.ts';
import { openReceiver } from './testing/receivers.ts';

onEachEngine('messages of alerts', async (cloud) => {
  const { clock } = cloud;

  async function writeMessage(site_id: string, target: string, due_at: number): Promise<void> {
    const id = newId('alt', due_at);
    const facts = JSON.stringify({ serial: 'gw', minutes: 2 });
    await cloud.store.write(async ({ db }) => {
      await insertAlert(db, { id, site_id, rule: 'gateway_silent', subjects: '[]', facts, at: due_at, ended_at: null });
      await insertChannel(db, {
        id,
        identity_id: null,
        site_id,
        kind: 'webhook',
        name: 'Hook',
        target,
        secret: 'secret',
        language: 'en',
        verified_at: due_at,
        code_hash: null,
        code_expires_at: 0,
        code_tries: 0,
        created_at: due_at,
        browser_id: null,
      });
      await insertDelivery(db, {
        id,
        alert_id: id,
        channel_id: id,
        channel_kind: 'webhook',
        is_clear: 0,
        status: 'waiting',
        due_at,
        give_up_at: due_at + dayMs,
        claimed_until: 0,
        tries: 0,
        reason: null,
      });
    });
  }

  test('webhooks that never answer delay only the alerts of the people who entered them', async () => {
    const [answering, silent] = await Promise.all([openReceiver(), openReceiver()]);
    silent.answer.isSilent = true;
    const people = 5; // whose messages together are more than a process sends at once
    const organizations = 2;
    const messages = 30;
    for (let n = 0; n < people; n++) {
      const person = await cloud.person();
      for (let o = 0; o < organizations; o++) {
        const site = await cloud.site(person, await cloud.organization(person));
        for (let m = 0; m < messages; m++) await writeMessage(site, silent.url, clock.now() - hourMs);
      }
    }
    await writeMessage((await cloud.home()).site, answering.url, clock.now());
    const [first, second] = [openAlerting(cloud), openAlerting(cloud)];
    await first.outbox.deliverDue();
    await until(() => answering.received.length === 1);
    await second.outbox.deliverDue();
    await until(() => silent.received.length >= people * 50);
    await Promise.all([first.outbox.deliverDue(), second.outbox.deliverDue()]);
    await silent.close();
    await Promise.all([first.outbox.settled(), second.outbox.settled(), answering.close()]);
    assert.equal(silent.received.length, people * 50, 'the others wait');
  });
});
