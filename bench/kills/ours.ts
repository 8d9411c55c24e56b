import { enrolFleet, reportContinually, storedOf } from '#test/faults/fleet.ts';
import { startPlatform } from '#test/faults/platform.ts';
import { freePort } from '#test/free-port.ts';
import type { Contender } from './contender.ts';

const gateways = 4;

/** Starts the platform with its broker in one process: a PUBACK acknowledges a reading. */
export async function startOurs(dataDir: string): Promise<Contender> {
  const [cloudPort, mqttPort] = [await freePort(), await freePort()];
  const env = { DATA_DIR: dataDir, CLOUD_PORT: String(cloudPort), MQTT_PORT: String(mqttPort) };
  let platform = await startPlatform(env);
  const stop = (): Promise<void> => platform.kill();
  const fleet = await enrolFleet(platform.url, gateways).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    name: 'Ohmstead',
    isOurs: true,
    report: (ledger) => reportContinually(() => `mqtt://127.0.0.1:${mqttPort}`, fleet, ledger),
    async killAndRestart() {
      await platform.kill();
      platform = await startPlatform(env);
    },
    stored: () => storedOf(platform.url, fleet),
    [Symbol.asyncDispose]: stop,
  };
}
