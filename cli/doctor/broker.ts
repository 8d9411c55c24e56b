import { failureWords } from './failure-words.ts';
import { type Finding, findingsAbout } from './finding.ts';
import { knockAtBroker } from './mqtt-knock.ts';
import type { Scene } from './scene.ts';

const patienceMs = 2500;
const found = findingsAbout('broker');

/** The brokers that the configuration names, else the one in the platform of this machine. */
export async function checkBrokers(scene: Scene): Promise<Finding[]> {
  const { UPLINK_URL, UPLINK_FALLBACK_URL, UPLINK_CA } = scene.gateway;
  const { BROKER_URL, BROKER_MANAGEMENT_URL } = scene.cloud;
  const checks = [
    ...(BROKER_URL?.split(',') ?? []).map(checkRabbit),
    ...(BROKER_URL ? (BROKER_MANAGEMENT_URL?.split(',') ?? []).map(checkManagement) : []),
    ...(UPLINK_URL ? [checkNamed(UPLINK_URL, 'UPLINK_URL', UPLINK_CA)] : []),
    ...(UPLINK_FALLBACK_URL ? [checkNamed(UPLINK_FALLBACK_URL, 'UPLINK_FALLBACK_URL', UPLINK_CA)] : []),
  ];
  return Promise.all(checks.length > 0 ? checks : [checkEmbedded(scene)]);
}

async function checkNamed(url: string, setting: string, ca: string | undefined): Promise<Finding> {
  const shown = withoutSecret(url);
  const knock = await knockAtBroker(url, ca);
  if (knock.isBroker)
    return found.ok(`The broker at ${shown} answers${knock.wantsSignIn ? ', and wants a sign-in' : ''}.`);
  return found.problem(`No broker answers at ${shown}: ${knock.why}.`, `Look whether it runs, or correct ${setting}.`);
}

async function checkEmbedded({ cloud, stack, ownPlatform, platform, platformFrom }: Scene): Promise<Finding> {
  const { MQTT_HOST, MQTT_PORT } = cloud;
  const host = MQTT_HOST === '0.0.0.0' || MQTT_HOST === '::' ? 'localhost' : MQTT_HOST;
  const own = `mqtt://${host}:${MQTT_PORT}`;
  const [answer, ...knocks] = await Promise.all([
    ownPlatform,
    ...[...new Set([stack.mqtt_url ?? own, own])].map(async (url) => ({ url, knock: await knockAtBroker(url) })),
  ]);
  const { url, knock } = knocks.find(({ knock }) => knock.isBroker) ?? knocks.at(-1)!;
  if (knock.isBroker) return found.ok(`The broker at ${url} answers.`);
  const says = `No broker answers at ${url}: ${knock.why}.`;
  if (answer.kind === 'ours')
    return found.problem(says, 'Look at the log of the platform, and at MQTT_HOST and MQTT_PORT.');
  if (platformFrom === 'sign-in' && answer.kind === 'none')
    return found.ok(`No broker runs on this machine; the platform at ${(await platform).url} has its own.`);
  return found.warning(says, 'It starts with the platform. A gateway for another platform needs UPLINK_URL.');
}

async function checkRabbit(url: string): Promise<Finding> {
  const shown = withoutSecret(url);
  const { connect } = await import('amqplib'); // its driver, where it is used
  try {
    const connection = await connect(url, { timeout: patienceMs });
    connection.on('error', () => {}); // it has answered, which is all that was asked
    await connection.close();
    return found.ok(`RabbitMQ at ${shown} answers and takes the sign-in.`);
  } catch (error) {
    const { message } = error as Error;
    const why = /ACCESS_REFUSED|403|Handshake/.test(message) ? 'it refuses the sign-in' : failureWords(error);
    return found.problem(
      `RabbitMQ at ${shown} cannot be used: ${why}.`,
      'Look whether it runs, or correct BROKER_URL.',
    );
  }
}

/** By the question that the platform asks too: a user may have the broker and not this. */
async function checkManagement(url: string): Promise<Finding> {
  const { managementNode } = await import('#cloud/broker/rabbitmq/management.ts');
  const { origin, authorization } = managementNode(url);
  const shown = `The management interface of RabbitMQ at ${origin}`;
  const next = 'Look whether it runs, or correct BROKER_MANAGEMENT_URL.';
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const { status } = await fetch(`${origin}/api/connections?page=1&page_size=1`, {
      headers: { authorization },
      signal,
    });
    if (status < 300) return found.ok(`${shown} answers and takes the sign-in.`);
    const why = status === 401 || status === 403 ? 'it refuses the sign-in' : `it answers with status ${status}`;
    return found.problem(`${shown} cannot be used: ${why}.`, next);
  } catch (error) {
    return found.problem(`${shown} cannot be used: ${failureWords(error)}.`, next);
  }
}

function withoutSecret(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
