import { randomBytes } from 'node:crypto';
import { failureWords } from './failure-words.ts';

export type Knock = { isBroker: true; wantsSignIn: boolean } | { isBroker: false; why: string };

const patienceMs = 2500;
const mostRefusal = 5; // return codes 1 to 5 of MQTT 3.1.1: a broker says no

/** Whether an MQTT broker answers: it takes the connection, or says why it does not. */
export async function knockAtBroker(url: string, ca?: string): Promise<Knock> {
  const { connect } = await import('#lib/mqtt.ts'); // no other check waits for it
  const { promise, resolve } = Promise.withResolvers<Knock>();
  const client = connect(url, {
    clientId: `ohmstead-doctor-${randomBytes(4).toString('hex')}`,
    protocolVersion: 4,
    reconnectPeriod: 0,
    connectTimeout: patienceMs,
    ...(ca !== undefined && { ca }),
  });
  const timer = setTimeout(() => resolve({ isBroker: false, why: 'it does not answer in time' }), patienceMs);
  client.on('connect', () => resolve({ isBroker: true, wantsSignIn: false }));
  client.on('error', (error: Error & { code?: string | number }) => {
    const isRefusal = typeof error.code === 'number' && error.code >= 1 && error.code <= mostRefusal;
    resolve(isRefusal ? { isBroker: true, wantsSignIn: true } : { isBroker: false, why: failureWords(error) });
  });
  client.on('close', () => resolve({ isBroker: false, why: 'it closes the connection' }));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    client.end(true);
  }
}
