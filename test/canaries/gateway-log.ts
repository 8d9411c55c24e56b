import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyFile } from '#gateway/identity/key-file.ts';
import { startBroker } from '#gateway/uplink/testing/trial.ts';
import { freePort } from '../free-port.ts';
import { fakeCommands } from '../gateway/fake-commands.ts';
import { openNetwork } from '../gateway/open-network.ts';
import { root } from '../source-files.ts';
import { until } from '../until.ts';
import { startHeard } from './process.ts';
import { coreOf, type Secrets, someSecret } from './secrets.ts';
import { ask } from './sign-in.ts';

type Heard = { said: string; answers: string[] };

/** Everything that a gateway sends to a broker, including its log. */
type Streamed = { streamed: string };

const reads = ['/api/devices', '/api/system', '/api/system/mqtt', '/api/status', '/api/logs', '/api/debug', '/metrics']
  .concat('/api/crypto', '/api/crypto/signatures', '/api/network')
  .map((path) => `GET ${path}`);

/** A gateway at the most detailed log level that is given the secrets of a home. */
export async function hearGateway(folder: string, secrets: Secrets): Promise<Heard & Streamed> {
  const nowhere = await freePort();
  const password = secrets.keep('broker password', someSecret());
  const localToken = secrets.keep('operator token', someSecret());
  const broker = await startBroker();
  const uplink = `mqtt://user:${password}@127.0.0.1:${new URL(broker.url).port}`;
  const silent = `mqtt://user:${password}@127.0.0.1:${nowhere}`;
  await using gateway = startHeard(join(root, 'cli/main.js'), ['gateway'], {
    GATEWAY_DATA_DIR: folder,
    GATEWAY_PORT: '0',
    GATEWAY_HOST: '127.0.0.1',
    MDNS: 'off',
    LOG_LEVEL: 'trace',
    LOCAL_TOKEN: localToken,
    UPLINK_URL: uplink,
    HOME_ASSISTANT_URL: silent,
  });
  await gateway.until(/"gateway started"/);
  const url = `http://127.0.0.1:${/"port":(\d+)/.exec(gateway.said())![1]}`;
  secrets.keep('gateway key', coreOf(await readFile(keyFile(folder), 'utf8')));

  const answers: string[] = [];
  const call = async (what: string, body?: object | string, token = localToken): Promise<void> => {
    const answer = await ask(url, what, { token, ...(body !== undefined && { body }) });
    answers.push(JSON.stringify([answer.body, ...answer.headers]));
  };
  const psk = secrets.keep('Wi-Fi psk', someSecret());
  const meterKey = secrets.keep('gateway key', someSecret().slice(6).padEnd(32, '0').slice(0, 32));
  const device = { type: 'mqtt', broker_host: '127.0.0.1', broker_port: nowhere, profile: 'ambibox', username: 'user' };
  await call('POST /api/system/log_stream', { enabled: true, level: 6 });
  await call('POST /api/devices', { ...device, password });
  await call('POST /api/devices', { ...device, password, unit_id: [password] });
  await call('POST /api/devices', { type: 'p1_uart', serial_port: '/dev/ttyNONE9', decryption_key: meterKey });
  await call('POST /api/devices', `{"password":"${password}`);
  await call('POST /api/system/mqtt', { mqtt_connection_str: silent, mqtt_connection_fallback_str: silent });
  await call('POST /api/system/mqtt', { mqtt_connection_str: `nonsense:${password}` });
  await call('POST /api/wifi', { psk }); // without a network nothing is joined
  await call('GET /api/devices', undefined, `${localToken}x`);
  for (const what of reads) await call(what);
  const logged = () => broker.messages.filter(({ topic }) => topic.endsWith('/logs/raw')).map(({ text }) => text);
  await until(logged, (lines) => lines.some((line) => line.includes('reboot scheduled')));
  await broker.close();
  await gateway.until(/the broker could not be reached/);
  await gateway.stop();
  const streamed = broker.messages.map(({ topic, text }) => `${topic} ${text}`).join('\n');
  return { said: gateway.said(), answers, streamed };
}

/** The radio with a right password, and with one that its command repeats in an error. */
export async function hearRadio(secrets: Secrets): Promise<Heard> {
  const cleanups: (() => unknown)[] = [];
  const t = { after: (work?: unknown) => void cleanups.push(work as () => unknown) };
  try {
    const { call, lines } = openNetwork(t, (await fakeCommands(t)).path);
    const answers: string[] = [];
    for (const ssid of ['Home', 'Guests']) {
      const psk = secrets.keep('Wi-Fi psk', someSecret());
      answers.push(JSON.stringify(await call('POST /api/wifi', { body: { ssid, psk } })));
    }
    answers.push(JSON.stringify(await call('GET /api/wifi')));
    return { said: lines.join('\n'), answers };
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }
}
