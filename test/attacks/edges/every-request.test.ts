import assert from 'node:assert/strict';
import { once } from 'node:events';
import { METHODS } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openCloud, type TestCloud } from '../../cloud/open-cloud.ts';
import { openGateway } from '../../gateway/open-gateway.ts';
import { openPrice, type TestPrice } from '../../price/open-price.ts';

const request = (line: string, ...headers: string[]): string =>
  `${[line, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`;
const json = ['Content-Type: application/json', 'Content-Length: 2'];

const halfPreface = 'PRI * HTTP/2.0\r\n\r\n';

/** Requests that no route answers, with their expected statuses; HOST is the address of the service. */
const malformed: [title: string, sent: string, statuses: number[]][] = [
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [505]],
  ['the preface of HTTP/2 and a frame', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', [505]],
  ['half the preface of HTTP/2', halfPreface, [400]],
  ['the preface of HTTP/2 with a header', request('PRI * HTTP/2.0', 'Host: HOST'), [400, 505]],
  ['the preface of HTTP/2 for a path', request('PRI / HTTP/2.0', 'Host: HOST'), [400, 505]],
  ['the method PRI', request('PRI / HTTP/1.1', 'Host: HOST'), [400, 505]],
  ['HTTP/2.0', request('GET / HTTP/2.0', 'Host: HOST'), [505]],
  ['HTTP/3.0', request('GET / HTTP/3.0', 'Host: HOST'), [505]],
  ['HTTP/0.9', request('GET / HTTP/0.9', 'Host: HOST'), [505]],
  ['a line without a version', 'GET /\r\n\r\n', [505]],
  ['a line without a target', request('GET  HTTP/1.1', 'Host: HOST'), [400]],
  ['a line with four words', request('GET / x HTTP/1.1', 'Host: HOST'), [400]],
  ['a method in lower case', request('get / HTTP/1.1', 'Host: HOST'), [400]],
  ['a method of nobody', request('STEAL / HTTP/1.1', 'Host: HOST'), [400]],
  ['a star', request('GET * HTTP/1.1', 'Host: HOST'), [404]],
  ['OPTIONS for a star', request('OPTIONS * HTTP/1.1', 'Host: HOST'), [404]],
  ['an absolute URL of nothing', request('GET http:// HTTP/1.1', 'Host: HOST'), [400, 404]],
  ['an absolute URL of another scheme', request('GET ftp://x/y HTTP/1.1', 'Host: HOST'), [404]],
  ['an absolute URL with a path of nothing', request('GET http://x/nothing HTTP/1.1', 'Host: HOST'), [404]],
  ['a tunnel', request('CONNECT x:80 HTTP/1.1', 'Host: HOST'), [501]],
  ['a tunnel to a path', request('CONNECT / HTTP/1.1', 'Host: HOST'), [400, 501]],
  ['broken percent-encoding', request('GET /%zz HTTP/1.1', 'Host: HOST'), [400]],
  ['a path that is not UTF-8', request('GET /%ff HTTP/1.1', 'Host: HOST'), [400]],
  ['raw bytes in the path', request('GET /\xff HTTP/1.1', 'Host: HOST'), [400]],
  ['no Host', request('GET / HTTP/1.1'), [400]],
  ['two Hosts', request('GET / HTTP/1.1', 'Host: HOST', 'Host: HOST'), [400]],
  ['a Host that is a URL', request('GET / HTTP/1.1', 'Host: http://x/'), [400, 421]],
  ['a Host with spaces', request('GET / HTTP/1.1', 'Host: a b'), [400, 421]],
  ['a Host with a user', request('GET / HTTP/1.1', 'Host: a@b'), [400, 421]],
  ['a Host with an odd port', request('GET / HTTP/1.1', 'Host: x:http'), [400, 421]],
  ['a header without a name', request('GET / HTTP/1.1', 'Host: HOST', ': x'), [400]],
  ['a header without a colon', request('GET / HTTP/1.1', 'Host: HOST', 'x'), [400]],
  ['huge headers', request('GET / HTTP/1.1', 'Host: HOST', `X: ${'x'.repeat(70_000)}`), [431]],
  ['an unknown expectation', `${request('POST / HTTP/1.1', 'Host: HOST', 'Expect: x', ...json)}{}`, [417]],
  ['an unknown coding', request('POST / HTTP/1.1', 'Host: HOST', 'Transfer-Encoding: gzip'), [400]],
  ['broken chunks', `${request('POST / HTTP/1.1', 'Host: HOST', 'Transfer-Encoding: chunked')}zz\r\n`, [400]],
  ['random bytes', '\0\x01\x02\xff\xfe', [400]],
  ['a lone line break', '\r\n\r\n\r\nx', [400]],
];

/** Returns everything that is answered before the service closes the connection. */
async function answerTo(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const heard: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => void heard.push(bytes));
  await once(socket, 'connect');
  socket.write(Buffer.from(text.replaceAll('HOST', `127.0.0.1:${port}`), 'latin1'));
  if (text === halfPreface) socket.end(); // the service would wait for the other half
  await once(socket, 'close', { signal: AbortSignal.timeout(5000) });
  return Buffer.concat(heard).toString('latin1');
}

type Form = 'problem' | 'local';

/** Returns the statuses of an answer; the body of an error must have the declared form. */
function examine(title: string, answer: string, form: Form): number {
  const [head = '', body = ''] = answer.split(/\r\n\r\n/, 2);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  assert.ok(status >= 200, `${title}: ${answer.slice(0, 300) || 'no answer'}`);
  assert.notEqual(status, 500, `${title}: ${answer}`);
  if (status < 400 || body === '') return status;
  if (/content-type: application\/json/i.test(head) && form === 'problem') {
    assert.equal(typeof JSON.parse(body).error_description, 'string', `${title}: ${body}`); // OAuth has a form of its own
    return status;
  }
  assert.match(
    head,
    form === 'problem' ? /content-type: application\/problem\+json/i : /content-type: application\/json/i,
    title,
  );
  const { error, message, status: given } = JSON.parse(body);
  assert.ok(error && message, `${title}: ${body}`);
  assert.equal(given, form === 'problem' ? status : 'error', title);
  return status;
}

describe('a request that no route answers gets a declared error', () => {
  let cloud: TestCloud;
  let price: TestPrice;
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  const services: [name: string, form: Form, port: () => number, paths: string[]][] = [
    ['cloud', 'problem', () => portOf(cloud), ['/', '/sites', '/oauth/token', '/public/cells', '/docs', '/nothing']],
    ['price', 'problem', () => portOf(price), ['/', '/price/electricity', '/price/total', '/docs', '/nothing']],
    ['gateway', 'local', () => Number(new URL(gateway.url).port), ['/', '/api/devices', '/docs', '/nothing']],
  ];
  const portOf = ({ app }: TestCloud | TestPrice): number => (app.server.address() as AddressInfo).port;

  before(async () => {
    [cloud, price, gateway] = await Promise.all([openCloud(), openPrice(), openGateway()]);
    for (const { app } of [cloud, price]) await app.listen({ host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    await cloud.close();
    await price[Symbol.asyncDispose]();
    await gateway.close();
  });

  for (const [name, form, port, paths] of services) {
    test(`${name}: malformed requests`, async () => {
      for (const [title, sent, statuses] of malformed) {
        const status = examine(title, await answerTo(port(), sent), form);
        assert.ok(statuses.includes(status), `${title}: ${status}, not ${statuses.join(' or ')}`);
      }
      assert.ok(examine('health', await answerTo(port(), request('GET /health HTTP/1.1', 'Host: HOST')), form) === 200);
    });

    test(`${name}: every method on every kind of path, plain and with additions of other protocols`, async () => {
      const extras = [
        [],
        ['Connection: Upgrade', 'Upgrade: h2c'],
        ['Expect: 100-continue', ...json],
        ['Content-Type: ;;'],
      ];
      const targets = paths.flatMap((path) => [path, `http://x${path}`, `${path}/`]);
      for (const [index, method] of [...METHODS, 'QUERY'].entries()) {
        await Promise.all(
          targets.map(async (target, place) => {
            const extra = extras[(index + place) % extras.length]!;
            const sent = request(`${method} ${target} HTTP/1.1`, 'Host: HOST', ...extra);
            const answer = await answerTo(port(), extra.includes(json[0]!) ? `${sent}{}` : sent);
            examine(`${method} ${target}`, answer.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ''), form);
          }),
        );
      }
    });
  }
});
