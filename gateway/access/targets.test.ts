import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createTargets } from './targets.ts';

const allowed = [
  '10.0.0.1',
  '10.255.255.254',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '192.168.255.254',
  '127.0.0.1',
  '127.255.255.254',
  '::1',
  '0:0:0:0:0:0:0:1',
  'fc00::1',
  'fd12:3456:789a::1',
  'FD00::ABCD',
  'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '::ffff:10.0.0.1',
  '::ffff:c0a8:1',
  '::FFFF:127.0.0.1',
];

const refused = [
  // public
  '8.8.8.8',
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '128.0.0.1',
  '126.255.255.255',
  '2001:4860:4860::8888',
  'fbff::1',
  'fe00::1',
  // shared, link-local, metadata, test networks
  '100.64.0.1',
  '100.127.255.254',
  '169.254.169.254',
  '169.254.0.1',
  '192.0.2.1',
  '198.18.0.1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'fd00::1%eth0',
  // unspecified, multicast, broadcast, reserved
  '0.0.0.0',
  '0.0.0.1',
  '::',
  '224.0.0.251',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  'ff02::1',
  'ff02::fb',
  // IPv4 inside IPv6
  '::ffff:8.8.8.8',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::ffff:0.0.0.0',
  '::ffff:224.0.0.1',
  '::ffff:255.255.255.255',
  '::10.0.0.1',
  '::127.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b::169.254.169.254',
  '2002:a00:1::',
  '::ffff:0:10.0.0.1',
  // other spellings of addresses
  '2130706433',
  '0x7f000001',
  '0X7F000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '127.1',
  '127.0.1',
  '10.1',
  '10.0.0.010',
  '010.0.0.1',
  '10.0.0.0x1',
  '0xa.0.0.1',
  '10.0.0.256',
  '10.0.0.1.',
  '10.0.0.1.1',
  '256.256.256.256',
  '-1.0.0.1',
  '１２７.0.0.1',
  '①②⑦.⓪.⓪.①',
  '10。0。0。1',
  '10.0.0.1:80',
  '10.0.0.1/8',
  '[::1]',
  '[::1]:80',
  '::1::',
  '1::2::3',
  ':::',
  'fd00:::1',
  'fd00::12345',
  '[fd00::1',
  // not a host name
  '',
  '.',
  '..',
  ' 10.0.0.1',
  '10.0.0.1 ',
  '10.0.0.1\n',
  '10.0.0.1\0',
  'a b',
  '-a.local',
  'a-.local',
  'a..local',
  '.local',
  'a/b',
  'user@10.0.0.1',
  'http://10.0.0.1',
  'localhost#',
  '%31%30.0.0.1',
  'a'.repeat(64),
  `${'a.'.repeat(127)}a`,
  'ab.0x',
  'ab.0xff',
  'name.1',
];

suite('addresses of devices', () => {
  const targets = createTargets('');

  for (const host of allowed) {
    test(`at ${host}`, async () => assert.equal(await targets.resolve(host), host));
  }

  for (const host of refused) {
    test(`not at ${JSON.stringify(host.slice(0, 40))}`, () =>
      assert.rejects(targets.resolve(host), { name: 'Problem', code: 'invalid_request' }));
  }

  test('a name is looked up, and the result is its address', async () => {
    assert.match(await targets.resolve('localhost'), /^(127\.0\.0\.1|::1)$/);
  });

  test('an unknown name is unreachable', async () => {
    await assert.rejects(targets.resolve('nobody.invalid'), { code: 'device_unreachable' });
  });

  const known = (...addresses: string[]) => createTargets('', async () => addresses);

  test('the first permitted address of a name is used', async () => {
    assert.equal(await known('fe80::1', '8.8.8.8', '192.168.1.5', '10.0.0.1').resolve('inverter.local'), '192.168.1.5');
  });

  test('a name of a foreign address is refused', async () => {
    for (const targets of [known('169.254.169.254', '8.8.8.8'), known('0.0.0.0'), known()]) {
      await assert.rejects(targets.resolve('rebound.example'), { code: 'invalid_request' });
    }
  });

  test('the lookup of a name ends after 3 s', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const refused = assert.rejects(createTargets('', () => new Promise(() => {})).resolve('slow.example'), {
      code: 'device_unreachable',
    });
    t.mock.timers.tick(3000);
    await refused;
  });

  test('a refusal names the remedy', async () => {
    await assert.rejects(targets.resolve('8.8.8.8'), {
      message: '8.8.8.8 is not in the local network; GATEWAY_TARGETS can allow it.',
    });
  });
});

suite('GATEWAY_TARGETS', () => {
  test('adds networks and single addresses', async () => {
    const targets = createTargets('100.64.0.0/10, 2001:db8::/32,203.0.113.5');
    for (const host of ['100.64.0.1', '2001:db8:1::1', '203.0.113.5', '::ffff:203.0.113.5', '10.0.0.1']) {
      assert.equal(await targets.resolve(host), host);
    }
    for (const host of ['203.0.113.6', '169.254.169.254', '2001:db9::1']) {
      await assert.rejects(targets.resolve(host), { code: 'invalid_request' });
    }
  });

  test('* permits any address, but no other spelling of one', async () => {
    const targets = createTargets('*');
    assert.equal(await targets.resolve('8.8.8.8'), '8.8.8.8');
    await assert.rejects(targets.resolve('0x08080808'), { code: 'invalid_request' });
  });

  for (const wrong of ['10.0.0.0/33', '10.0.0/8', 'home', '::/129', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0.0/-1']) {
    test(`${wrong} does not start`, () => assert.throws(() => createTargets(wrong), /GATEWAY_TARGETS/));
  }
});
