import { createClient } from '#contract/client.ts';
import { getStatus } from '#contract/gateway/status.ts';
import { getSystem } from '#contract/gateway/system.ts';
import { Problem } from '#contract/problem.ts';
import { plainMessage } from '../line/plain-message.ts';
import { type Finding, findingsAbout } from './finding.ts';
import type { Scene } from './scene.ts';

const found = findingsAbout('gateway');

/** The local API of the gateway on this machine, and how it gets on with its platform. */
export async function checkGateway(scene: Scene): Promise<Finding[]> {
  const answer = await scene.gatewayAnswer;
  const { url } = answer;
  if (answer.kind === 'none') {
    const next = 'Start one with ohmstead gateway; ohmstead gateway find looks for those of the local network.';
    return [found.warning(`No gateway answers at ${url}: ${answer.why}.`, next)];
  }
  if (answer.kind === 'other') {
    return [found.problem(`What answers at ${url} is no gateway.`, 'Set GATEWAY_PORT to another port.')];
  }
  const api = createClient({ baseUrl: url });
  try {
    const [{ gateway_info }, { uplink, claimed }] = await Promise.all([api.call(getSystem), api.call(getStatus)]);
    const who = `The gateway ${gateway_info.deviceId} answers at ${url}`;
    if (uplink.connected) {
      const guard = claimed ? ' Changing its broker and a reset need its local token (ohmstead gateway token).' : '';
      return [found.ok(`${who} and is connected to its platform.${guard}`)];
    }
    if (!uplink.broker) return [found.warning(`${who}; it has no platform.`, 'Set UPLINK_URL to the broker of one.')];
    const next = 'Look at what is told about the broker, and whether the gateway was claimed.';
    const says = `${who} and is not connected to its broker`;
    if (uplink.waiting === 0) return [found.warning(`${says}.`, next)];
    return [found.problem(`${says}; ${uplink.waiting} samples wait on its disk.`, next)];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [
      found.problem(
        `What answers at ${url} is not a gateway: ${plainMessage(error.message)}`,
        'Set GATEWAY_PORT to another port.',
      ),
    ];
  }
}
