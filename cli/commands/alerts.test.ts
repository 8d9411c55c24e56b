import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { openMailServer, openReceiver } from '#cloud/alerts/testing/receivers.ts';
import type { AlertChannel, AlertFollowing } from '#contract/cloud/alerts.ts';
import type { NewInvitation } from '#contract/cloud/invitations.ts';
import { openPlatform, type Person } from '../testing/people.ts';

suite('alerts', async () => {
  const [receiver, mailServer] = await Promise.all([openReceiver(), openMailServer()]);
  const platform = await openPlatform({
    SMTP_URL: mailServer.url,
    SMTP_FROM: 'Ohmstead <alerts@home.test>',
    ALERTS_PRIVATE_NETWORKS: 'true',
  });
  after(() => Promise.all([platform.close(), receiver.close(), mailServer.close()]));
  const ada = await platform.person();
  await ada.result('org', 'create', 'Home');
  await ada.result('site', 'create', 'House');

  const failure = async (person: Person, ...args: string[]): Promise<string> => {
    const { code, err } = await person.run('alerts', ...args);
    assert.notEqual(code, 0, args.join(' '));
    return err;
  };

  test('a rule is switched, keeps its other settings, and its threshold is checked', async () => {
    assert.equal(
      (await ada.run('alerts', 'set', 'near_fuse', 'on', '--percent', '80')).out,
      'near_fuse of House is on, 80 %.\n',
    );
    await ada.result('alerts', 'set', 'near_fuse', 'off');
    const { out } = await ada.run('alerts', 'rules');
    assert.match(out, /^near_fuse +off +80 %$/m);
    assert.match(out, /^gateway_silent +on +2 min$/m);
    assert.match(out, /^new_peak +on +-$/m);
    assert.match(await failure(ada, 'set', 'new_peak', 'on', '--percent', '80'), /new_peak has no threshold --percent/);
    assert.match(await failure(ada, 'set', 'near_fuse', 'on', '--percent', '900'), /^Near fuse percent must be <= 150/);
    assert.match(await failure(ada, 'set', 'near_fues', 'on'), /near_fuse/);
  });

  test('quiet hours stay until they are changed or removed', async () => {
    const follow = (...args: string[]) => ada.result<AlertFollowing>('alerts', 'follow', ...args);
    assert.equal((await follow()).quiet_hours, undefined);
    const night = { from: '22:00', to: '07:00', except_urgent: false };
    assert.deepEqual((await follow('--quiet', '22:00-07:00')).quiet_hours, night);
    assert.deepEqual((await follow('--urgent')).quiet_hours, { ...night, except_urgent: true });
    assert.match(await failure(ada, 'follow', '--quiet', '22-7'), /22:00-07:00, or off/);
    assert.match(await failure(ada, 'follow', '--quiet', '25:00-07:00'), /^Quiet hours from must be HH:MM/);
    assert.equal((await follow('--quiet', 'off')).quiet_hours, undefined);
    assert.match(await failure(ada, 'follow', '--urgent'), /needs quiet hours/);
    assert.match((await ada.run('alerts', 'follow')).out, /^You have no browser or address yet that receives them;/m);
    assert.equal((await ada.result<AlertFollowing>('alerts', 'unfollow')).follows, false);
  });

  test('an e-mail address is added, confirmed by its code, tested and removed', async () => {
    const { id } = await ada.result<AlertChannel>('alerts', 'add', 'email', 'ada@example.test');
    const code = /Subject: (\d{6})/.exec(mailServer.mails[0]!.source)![1]!;
    assert.match(await failure(ada, 'confirm', id, 'wrong'), /code/);
    assert.equal((await ada.result<AlertChannel>('alerts', 'confirm', id, code)).verified, true);
    assert.equal((await ada.run('alerts', 'test', id)).out, 'Sent to ada@example.test.\n');
    assert.equal(mailServer.mails.length, 2);
    assert.match(await failure(ada, 'remove', id), /^No more alerts will be sent to ada@example\.test\./);
    assert.deepEqual(await ada.result('alerts', 'remove', id, '--yes'), { id, removed: true });
    assert.deepEqual(await ada.result('alerts', 'channels'), []);
  });

  test('a webhook of the site is added with its secret, tested, and listed only for those who manage the site', async () => {
    const added = await ada.run('alerts', 'add', 'webhook', `${receiver.url}/hook`, '--name', 'Automation');
    assert.match(added.out, /^Alerts of House are sent to Automation \(hok-.+\)\.\nSecret .+: \S{43}\n$/);
    const [hook] = await ada.result<{ id: string; kind: string }[]>('alerts', 'channels');
    assert.equal(hook?.kind, 'webhook');
    assert.equal((await ada.run('alerts', 'test', hook.id)).code, 0);
    assert.equal(receiver.json()[0].state, 'test');
    receiver.answer.status = 500;
    const failed = await ada.run('alerts', 'test', hook.id);
    assert.deepEqual([failed.code, failed.out.startsWith('Not delivered: ')], [1, true]);

    const bo = await platform.person();
    const { url } = await ada.result<NewInvitation>('org', 'invite', 'viewer');
    await bo.result('org', 'join', url, '--yes');
    assert.deepEqual(await bo.result('alerts', 'channels'), []);
    assert.match(await failure(bo, 'remove', hook.id, '--yes'), /No channel of yours or of the site/);
    assert.deepEqual(await ada.result('alerts', 'remove', hook.id, '--yes'), { id: hook.id, removed: true });
  });

  test('the history of a site without alerts is empty', async () => {
    assert.deepEqual(await ada.result('alerts', 'history', '--last', '5'), []);
  });
});
