import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewayPageUrl, parseAddress } from './local-address.ts';

const plain = { protocol: 'http:' };
const secure = { protocol: 'https:' };

for (const { given, url } of [
  { given: 'http://localhost:9081', url: 'http://localhost:9081' },
  { given: ' localhost ', url: 'http://localhost:8081' },
  { given: '127.0.0.1:8081/app', url: 'http://127.0.0.1:8081' },
  { given: 'zap-1.local', url: 'http://zap-1.local:8081' },
  { given: 'http://zap-1.local:80', url: 'http://zap-1.local' },
]) {
  test(`"${given}" is parsed as ${url}`, () => assert.deepEqual(parseAddress(given, plain), { isUsable: true, url }));
}

for (const { given, page, reason } of [
  { given: '', page: plain, reason: 'malformed' },
  { given: 'http://', page: plain, reason: 'malformed' },
  { given: 'ftp://localhost', page: plain, reason: 'malformed' },
  { given: '192.168.1.20:8081', page: plain, reason: 'not-nearby' },
  { given: 'https://localhost:8081', page: plain, reason: 'not-nearby' },
  { given: 'http://local.example.com', page: plain, reason: 'not-nearby' },
  { given: 'http://zap-1.local:8081', page: secure, reason: 'mixed' },
]) {
  test(`"${given}" on a ${page.protocol} page is ${reason}`, () => {
    assert.deepEqual(parseAddress(given, page), { isUsable: false, reason });
  });
}

test('an https page can reach its own computer', () => {
  assert.equal(parseAddress('localhost:9081', secure).isUsable, true);
});

for (const { given, url } of [
  { given: '192.168.1.20', url: 'http://192.168.1.20:8081' },
  { given: 'https://zap-1.local', url: 'https://zap-1.local' },
  { given: 'raspberrypi:80', url: 'http://raspberrypi' },
  { given: 'http://8.8.8.8', url: undefined },
  { given: 'http://192.168.1.20.example.com', url: undefined },
  { given: 'javascript:alert(1)', url: undefined },
]) {
  test(`the page of the gateway at "${given}" is ${url ?? 'not linked'}`, () =>
    assert.equal(gatewayPageUrl(given), url));
}
