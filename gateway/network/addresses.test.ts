import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { defaultInterface, localAddress } from './addresses.ts';

const head = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n';
const zeros = '0'.repeat(32);
const lan = 'eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n';
const reject6 = `${zeros} 00 ${zeros} 00 ${zeros} ffffffff 00000001 00000000 00200200       lo\n`;

suite('the default interface', () => {
  for (const { says, route = head, route6 = reject6, found } of [
    { says: 'none', found: undefined },
    { says: 'the local network alone', route: head + lan, found: undefined },
    {
      says: 'a default route',
      route: `${head}${lan}wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n`,
      found: 'wlan0',
    },
    {
      says: 'half of a network that begins with zeros',
      route: `${head}tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000080\t0\t0\t0\n`,
      found: undefined,
    },
    {
      says: 'a rejecting route',
      route: `${head}*\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0\n`,
      found: undefined,
    },
    {
      says: 'IPv6',
      route6: `${zeros} 00 ${zeros} 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth0\n${reject6}`,
      found: 'eth0',
    },
  ]) {
    test(`by ${says} is ${found}`, async (t) => {
      const folder = temporaryFolder(t);
      await writeFile(join(folder, 'route'), route);
      await writeFile(join(folder, 'ipv6_route'), route6);
      assert.equal(await defaultInterface(folder), found);
    });
  }

  test('is undefined where the system has no such table', async () => {
    assert.equal(await defaultInterface('/nowhere/to/be/found'), undefined);
  });
});

suite('the local address', () => {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const outside = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80'));

  test('is one of this machine that others can reach', () => {
    const address = localAddress('absent0', undefined);
    if (outside.length === 0) assert.equal(address, undefined);
    else
      assert.ok(
        outside.some((own) => own.address === address),
        `${address}`,
      );
  });

  test('is never that of the loopback', () => {
    assert.notEqual(localAddress('lo'), '127.0.0.1');
  });
});
