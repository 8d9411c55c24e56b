import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { composeClaim } from '#contract/claim.ts';
import type { ClaimedGateway, Gateway } from '#contract/cloud/gateways.ts';
import type { Organization } from '#contract/cloud/organizations.ts';
import { formatTime } from '#contract/time.ts';
import { p256 } from '#test/cloud/people.ts';
import { openGateway } from '#test/gateway/open-gateway.ts';
import { until } from '#test/until.ts';
import { runInProcess } from '../testing/in-process.ts';
import { openPlatform, type Person } from '../testing/people.ts';

type Owner = Person & { id: string; orgId: string };

suite('gateways', async () => {
  const platform = await openPlatform();
  after(() => platform.close());

  /** Somebody with an organization, beside a gateway of their own. */
  async function home(env: Record<string, string> = {}) {
    const gateway = await openGateway({ UPLINK_URL: platform.mqttUrl, ...env });
    after(() => gateway.close());
    return { gateway, ada: await owner(gateway.url) };
  }

  async function owner(gatewayUrl: string): Promise<Owner> {
    const person = await platform.person({ OHMSTEAD_GATEWAY: gatewayUrl });
    const { id: orgId } = await person.result<Organization>('org', 'create', 'Home');
    return { ...person, orgId };
  }

  const uplink = async (gateway: Awaited<ReturnType<typeof openGateway>>): Promise<boolean> =>
    (await gateway.call('GET', '/api/status')).body.uplink.connected;

  test('a gateway is claimed step by step, listed, shown, and released after a question', async () => {
    const { gateway, ada } = await home();
    const { code, out } = await ada.run('gateway', 'claim');
    assert.equal(code, 0);
    assert.deepEqual(out.split('\n').slice(0, 4), [
      `The gateway at ${gateway.url} is ${gateway.serial}.`,
      'Its serial is derived from its key, so no other gateway can have it.',
      `It signed the claim of ${ada.id}, and the signature is valid.`,
      `It now belongs to Home (${ada.orgId}).`,
    ]);
    assert.match(
      (await ada.run('gateway', 'list')).out,
      new RegExp(`^gateway_serial .+\\n${gateway.serial} +${ada.orgId} `),
    );
    assert.equal((await ada.result<Gateway>('gateway', 'show', gateway.serial)).org_id, ada.orgId);
    const asked = await ada.run('gateway', 'release', gateway.serial);
    assert.equal(asked.code, 2);
    assert.match(asked.err, /no longer accept data from .+, and its 0 devices become orphaned\. There is no terminal/);
    assert.equal((await ada.run('gateway', 'release', gateway.serial, '--yes')).code, 0);
    assert.deepEqual(await ada.result('gateway', 'list'), []);
  });

  test('claiming it again into the same organization asks nothing', async () => {
    const { ada } = await home();
    await ada.result('gateway', 'claim');
    assert.equal((await ada.result<ClaimedGateway>('gateway', 'claim')).transferred, false);
  });

  test('from one organization of theirs to another it moves only after a question', async () => {
    const { gateway, ada } = await home();
    await ada.result('gateway', 'claim');
    const { id } = await ada.result<Organization>('org', 'create', 'Office');
    const asked = await ada.run('gateway', 'claim', '--org', 'Office');
    assert.equal(asked.code, 2);
    assert.match(
      asked.err,
      new RegExp(
        `^${gateway.serial} is in your organization ${ada.orgId}, with 0 devices\\. Claiming it into Office removes`,
      ),
    );
    assert.equal((await ada.result<Gateway>('gateway', 'show', gateway.serial)).org_id, ada.orgId);
    const moved = await ada.result<ClaimedGateway>('gateway', 'claim', '--org', 'Office', '--yes');
    assert.deepEqual([moved.org_id, moved.transferred], [id, true]);
  });

  test('the connected gateway of somebody else is taken only after a question', async () => {
    const { gateway, ada } = await home();
    await ada.result('gateway', 'claim');
    await until(() => uplink(gateway), Boolean, 40_000);
    const eve = await owner(gateway.url);
    const asked = await eve.run('gateway', 'claim');
    assert.equal(asked.code, 2);
    assert.match(
      asked.err,
      /it is not in any of your organizations, so it probably belongs to someone else\. Claiming it into Home removes/,
    );
    assert.equal((await ada.result<Gateway[]>('gateway', 'list')).length, 1);
    const { out } = await eve.run('gateway', 'claim', '--yes');
    assert.match(out, /its previous organization keeps the history/);
    assert.deepEqual(await ada.result('gateway', 'list'), []);
    const { code, err } = await ada.run('gateway', 'show', gateway.serial);
    assert.deepEqual([code, err], [1, 'There is no gateway with this id.\n']);
  });

  test('a guarded gateway wants its local token', async () => {
    const { gateway, ada } = await home({ LOCAL_API: 'guarded', LOCAL_TOKEN: 'the token of this gateway' });
    const { code, err } = await ada.run('gateway', 'claim');
    assert.equal(code, 1);
    assert.match(err, new RegExp(`^The gateway at ${gateway.url} requires its local token; pass it with --token`));
    assert.equal((await ada.run('gateway', 'claim', '--token', 'the token of this gateway')).code, 0);
  });

  test('the local token is printed for those who can read it', async () => {
    const { gateway } = await home();
    const { code, out } = await runInProcess(['gateway', 'token', '--data', gateway.folder]);
    assert.equal(code, 0);
    assert.equal(out, readFileSync(join(gateway.folder, 'local-token'), 'utf8'));
    const set = await runInProcess(['gateway', 'token'], { LOCAL_TOKEN: 'the token of this gateway' });
    assert.equal(set.out, 'the token of this gateway\n');
    const elsewhere = await runInProcess(['gateway', 'token', '--data', '/nowhere/to/be/found']);
    assert.deepEqual([elsewhere.code, elsewhere.out], [1, '']);
    assert.match(elsewhere.err, /^No gateway has run in \/nowhere\/to\/be\/found\. Run this on the machine/);
  });

  test('a gateway that this machine cannot reach is claimed by what it signed', async () => {
    const ada = await owner('http://127.0.0.1:9');
    const { serial, publicKey, sign } = p256();
    const signedAt = (atMs: number): string =>
      composeClaim({ claimerId: ada.id, nonce: '0123456789ab', timestamp: formatTime(atMs), serial });
    const message = signedAt(Date.now());
    const parts = (changes: Record<string, string> = {}): string[] =>
      Object.entries({ serial, 'public-key': publicKey, message, signature: sign(message), ...changes }).map(
        ([name, value]) => `--${name}=${value}`,
      );
    const old = signedAt(Date.UTC(2020, 0, 1));
    const other = message.replace(ada.id, 'idt-somebody');
    for (const { changes, says } of [
      {
        changes: { message: other, signature: sign(other) },
        says: /^The message is for idt-somebody, but you are idt-/,
      },
      {
        changes: { message: old, signature: sign(old) },
        says: /^The time in the message differs by \d+ minutes from now/,
      },
      {
        changes: { signature: sign('something else') },
        says: /^The signature does not match this key and message\.\n/,
      },
      { changes: { serial: 'garage-7' }, says: /^The message is from the gateway ohm-.+, not garage-7\.\n/ },
      { changes: { message: 'please' }, says: /^The message must have the form <your identity id>\|/ },
      { changes: { 'public-key': 'abc' }, says: /^This is not / },
    ]) {
      const { code, err } = await ada.run('gateway', 'claim', ...parts(changes));
      assert.equal(code, 1, err);
      assert.match(err, says);
    }
    const incomplete = await ada.run('gateway', 'claim', ...parts().slice(0, 3));
    assert.equal(incomplete.code, 2);
    assert.match(incomplete.err, /^A manual claim needs four options; missing: --signature\.\n/);
    assert.equal((await ada.result<ClaimedGateway>('gateway', 'claim', ...parts())).gateway_serial, serial);
  });

  test('where no gateway is, it says what to do', async () => {
    const ada = await owner('http://127.0.0.1:9');
    const { code, err } = await ada.run('gateway', 'claim');
    assert.equal(code, 1);
    assert.match(
      err,
      /^Cannot reach a gateway at http:\/\/127\.0\.0\.1:9\. Start one with ohmstead gateway, or give its address with --gateway/,
    );
    const wrong = await ada.run('gateway', 'claim', '--gateway', 'mqtt://home');
    assert.match(
      wrong.err,
      /^"mqtt:\/\/home" is not a valid gateway address\. Example: http:\/\/192\.168\.1\.20:8081\n/,
    );
  });

  test('a misspelt subcommand is not taken as an argument', async () => {
    const { code, err } = await platform.stranger().run('gateway', 'calim');
    assert.equal(code, 2);
    assert.match(err, /^Unknown command "gateway calim"; did you mean "gateway claim"\?\n/);
  });
});
