import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimLink } from './claim-link.ts';

const place = { cloudUrl: 'https://energy.example', page: 'http://192.168.1.20:8081/app/platform', serial: 'ohm-1a2b' };
const addressIn = (link: string | undefined) => new URL(link!).searchParams.get('at');

test('the link opens the set-up page with the address and serial of the gateway', () => {
  assert.equal(
    claimLink(place),
    'https://energy.example/app/setup?at=http%3A%2F%2F192.168.1.20%3A8081&gateway=ohm-1a2b',
  );
});

for (const host of ['localhost', '127.0.0.1', '[::1]']) {
  test(`a page opened at ${host} names the gateway by an address that a phone can reach`, () => {
    const page = `http://${host}:8081/`;
    assert.equal(addressIn(claimLink({ ...place, page, localIp: '192.168.1.20' })), 'http://192.168.1.20:8081');
    assert.equal(addressIn(claimLink({ ...place, page })), 'http://zap-ohm-1a2b.local:8081');
  });

  test(`a platform at ${host}, which only this computer can open, gets no link`, () => {
    assert.equal(claimLink({ ...place, cloudUrl: `http://${host}:8080` }), undefined);
  });
}
