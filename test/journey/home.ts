import assert from 'node:assert/strict';
import { join } from 'node:path';
import { systemClock } from '#lib/clock.ts';
import { startMarket } from '#sim/market/market.ts';
import { runCli } from '../../cli/testing/child-process.ts';
import { freePort } from '../free-port.ts';
import { type Program, programOf } from './program.ts';

export type Home = {
  /** Runs a command that must succeed; returns its output. */
  ohmstead(...args: string[]): Promise<string>;
  /** The same with --json. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  told(...args: string[]): Promise<any>;
  env: Record<string, string>;
  programs: { cloud: Program; gateway: Program; sim: Program; price: Program };
  urls: { cloud: string; gateway: string; price: string; inverter: string };
  close(): Promise<void>;
};

/**
 * A platform, a gateway, a price service and an inverter, each in a process of its own. The gateway is not started yet:
 * an unclaimed one asks the platform less and less often, down to once a minute.
 */
export async function openHome(folder: string): Promise<Home> {
  const [cloudPort, mqttPort, gatewayPort, pricePort] = await Promise.all([1, 2, 3, 4].map(() => freePort()));
  const urls = {
    cloud: `http://127.0.0.1:${cloudPort}`,
    gateway: `http://127.0.0.1:${gatewayPort}`,
    price: `http://127.0.0.1:${pricePort}`,
    inverter: '',
  };
  const market = await startMarket({ clock: systemClock }); // the source of the platform's prices
  const simulated = { PRICE_SIMULATED_URL: market.entsoeUrl, FX_URL: market.ratesUrl };
  const usual = { HOME: folder, LOG_LEVEL: 'info' };
  const programs = {
    cloud: programOf(
      ['cloud', '--data', join(folder, 'cloud')],
      { ...usual, ...simulated, CLOUD_PORT: String(cloudPort), MQTT_PORT: String(mqttPort) },
      'cloud started',
    ),
    gateway: programOf(
      ['gateway', '--data', join(folder, 'gateway')],
      {
        ...usual,
        GATEWAY_HOST: '127.0.0.1',
        GATEWAY_PORT: String(gatewayPort),
        UPLINK_URL: `mqtt://127.0.0.1:${mqttPort}`,
        MDNS: 'off',
      },
      'gateway started',
    ),
    price: programOf(
      ['price', '--simulated', '--data', join(folder, 'price')],
      { ...usual, PRICE_PORT: String(pricePort) },
      'price service started',
    ),
    sim: programOf(
      ['sim', '--only', 'sungrow', '--port-base', String(await freePort())],
      usual,
      'Press Ctrl-C to stop',
    ),
  };
  const env = { OHMSTEAD_CONFIG_DIR: join(folder, 'me'), OHMSTEAD_GATEWAY: urls.gateway, TZ: 'Europe/Stockholm' };
  const { sim, cloud, price } = programs;
  const [said] = await Promise.all([sim, cloud, price].map((program) => program.start()));
  urls.inverter = /^sungrow\s+sungrow\s+(\S+:\d+)\s/m.exec(said!)![1]!;

  async function ohmstead(...args: string[]): Promise<string> {
    const { code, out, err } = await runCli(args, env);
    assert.equal(code, 0, `ohmstead ${args.join(' ')}: ${err}`);
    return out;
  }

  return {
    ohmstead,
    told: async (...args) => JSON.parse(await ohmstead(...args, '--json')),
    env,
    programs,
    urls,
    async close() {
      await Promise.all(Object.values(programs).map((program) => program.kill()));
      await market.close();
    },
  };
}
