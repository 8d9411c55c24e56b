import { randomBytes } from 'node:crypto';
import { messageOf } from '../line/errors.ts';
import type { DoctorContext } from './context.ts';
import { failureReason, type Outcome, ok, problem, warning } from './finding.ts';

const timeoutMs = 2500;

/** Checks the configured brokers, else the one inside the platform of this machine. */
export async function checkBrokers(scene: DoctorContext): Promise<Outcome[]> {
  const { UPLINK_URL, UPLINK_FALLBACK_URL, UPLINK_CA } = scene.gateway;
  const { BROKER_URL, BROKER_MANAGEMENT_URL, BUS_URL } = scene.cloud;
  const checks = [
    ...(BROKER_URL?.split(',') ?? []).map((url) => checkRabbit(url, 'BROKER_URL')),
    ...(BUS_URL?.split(',') ?? []).map((url) => checkRabbit(url, 'BUS_URL')),
    ...(BROKER_URL ? (BROKER_MANAGEMENT_URL?.split(',') ?? []).map(checkManagement) : []),
    ...(UPLINK_URL ? [checkNamed(UPLINK_URL, 'UPLINK_URL', UPLINK_CA)] : []),
    ...(UPLINK_FALLBACK_URL ? [checkNamed(UPLINK_FALLBACK_URL, 'UPLINK_FALLBACK_URL', UPLINK_CA)] : []),
  ];
  return Promise.all(checks.length > 0 ? checks : [checkEmbedded(scene)]);
}

async function checkNamed(url: string, setting: string, ca: string | undefined): Promise<Outcome> {
  const shown = withoutSecret(url);
  const probe = await probeBroker(url, ca);
  if (probe.isBroker)
    return ok(`The broker at ${shown} answers${probe.wantsSignIn ? ' and requires credentials' : ''}.`);
  return problem(
    `Cannot reach a broker at ${shown}: ${probe.why}.`,
    `Check that it is running, or correct ${setting}.`,
  );
}

async function checkEmbedded({ cloud, stack, ownPlatform, platform, platformFrom }: DoctorContext): Promise<Outcome> {
  const { MQTT_HOST, MQTT_PORT } = cloud;
  const host = MQTT_HOST === '0.0.0.0' || MQTT_HOST === '::' ? 'localhost' : MQTT_HOST;
  const own = `mqtt://${host}:${MQTT_PORT}`;
  const other = stack.mqtt_url === undefined || stack.mqtt_url === own ? undefined : probeBroker(stack.mqtt_url);
  const [answer, atOwn, atOther] = await Promise.all([ownPlatform, probeBroker(own), other]);
  const { url, probe } = atOther?.isBroker ? { url: stack.mqtt_url, probe: atOther } : { url: own, probe: atOwn };
  if (probe.isBroker) return ok(`The broker at ${url} answers.`);
  const says = `Cannot reach a broker at ${url}: ${probe.why}.`;
  if (answer.kind === 'ours') return problem(says, 'Check the log of the platform, MQTT_HOST and MQTT_PORT.');
  if (platformFrom === 'sign-in' && answer.kind === 'none')
    return ok(`No broker runs on this machine; the platform at ${(await platform).url} has its own.`);
  return warning(
    says,
    'Start the platform, which contains the broker. For a gateway of another platform, set UPLINK_URL.',
  );
}

async function checkRabbit(url: string, setting: 'BROKER_URL' | 'BUS_URL'): Promise<Outcome> {
  const shown = withoutSecret(url);
  const { connect } = await import('amqplib'); // loads the driver only if needed
  try {
    const connection = await connect(url, { timeout: timeoutMs });
    connection.on('error', () => {}); // it answered, which is all this check needs
    await connection.close();
    return ok(`RabbitMQ at ${shown} answers and accepts the credentials.`);
  } catch (error) {
    const why = /ACCESS_REFUSED|403|Handshake/.test(messageOf(error))
      ? 'it rejects the credentials'
      : failureReason(error);
    return problem(`RabbitMQ at ${shown} cannot be used: ${why}.`, `Check that it is running, or correct ${setting}.`);
  }
}

/** Checks the management API with the request that the platform makes; it needs more permissions than the broker itself. */
async function checkManagement(url: string): Promise<Outcome> {
  const { managementNode } = await import('#cloud/broker/rabbitmq/management.ts');
  const { origin, authorization } = managementNode(url);
  const shown = `The management interface of RabbitMQ at ${origin}`;
  const next = 'Check that it is running, or correct BROKER_MANAGEMENT_URL.';
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { status } = await fetch(`${origin}/api/connections?page=1&page_size=1`, {
      headers: { authorization },
      signal,
    });
    if (status < 300) return ok(`${shown} answers and accepts the credentials.`);
    const why = status === 401 || status === 403 ? 'it rejects the credentials' : `it returns status ${status}`;
    return problem(`${shown} cannot be used: ${why}.`, next);
  } catch (error) {
    return problem(`${shown} cannot be used: ${failureReason(error)}.`, next);
  }
}

function withoutSecret(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

type BrokerProbe = { isBroker: true; wantsSignIn: boolean } | { isBroker: false; why: string };

const connectTimeoutMs = 2500;
const maxRefusalCode = 5; // MQTT 3.1.1 return codes 1 to 5 mean that a broker refused the connection

/** Probes an MQTT broker. A broker that refuses the connection with a return code has answered, too. */
export async function probeBroker(url: string, ca?: string): Promise<BrokerProbe> {
  const { connect } = await import('#lib/mqtt.ts'); // loaded only if needed
  const { promise, resolve } = Promise.withResolvers<BrokerProbe>();
  const client = connect(url, {
    clientId: `ohmstead-doctor-${randomBytes(4).toString('hex')}`,
    protocolVersion: 4,
    reconnectPeriod: 0,
    connectTimeout: connectTimeoutMs,
    ...(ca !== undefined && { ca }),
  });
  const timer = setTimeout(() => resolve({ isBroker: false, why: 'timed out' }), connectTimeoutMs);
  client.on('connect', () => resolve({ isBroker: true, wantsSignIn: false }));
  client.on('error', (error: Error & { code?: string | number }) => {
    const isRefusal = typeof error.code === 'number' && error.code >= 1 && error.code <= maxRefusalCode;
    resolve(isRefusal ? { isBroker: true, wantsSignIn: true } : { isBroker: false, why: failureReason(error) });
  });
  client.on('close', () => resolve({ isBroker: false, why: 'it closed the connection' }));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    client.end(true);
  }
}
