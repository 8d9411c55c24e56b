import { resolve } from 'node:path';
import type { RunningStack } from './main.ts';
import { stateFile } from './state-file.ts';

type SummaryOptions = { dataDir: string; version: string; houses: number; usualPorts: Record<string, number> };

/** Returns the addresses and examples that the terminal shows; the last line is for programs. */
export function stackSummary(
  { state, hasSimulatedPrices }: RunningStack,
  { dataDir, version, houses, usualPorts }: SummaryOptions,
): string {
  const { cloud_url, gateway_url, price_url, mqtt_url, gateway_serial, private_key_file, devices } = state;
  const moved = Object.entries({ CLOUD_PORT: cloud_url, GATEWAY_PORT: gateway_url, MQTT_PORT: mqtt_url }).flatMap(
    ([setting, url]) => {
      const usual = usualPorts[setting];
      return url && usual && Number(new URL(url).port) !== usual
        ? [`Port ${usual} is taken, using ${new URL(url).port}. Set ${setting} to choose another.`]
        : [];
    },
  );
  const simulated: [what: string, where: string][] = devices
    ? [
        ['Home', `simulated, ${devices.length} devices: ${devices.map(({ sn }) => sn).join(', ')}`],
        ['Street', `${houses} simulated houses`],
        ['Your key', private_key_file ?? ''],
      ]
    : [];
  const rows: [what: string, where: string][] = [
    ['Ohmstead', version],
    ['Cloud', `${cloud_url} (API pages at ${cloud_url}/docs)`],
    ['Broker', mqtt_url ?? 'RabbitMQ'],
    ['Prices', `${price_url}/price/total?area=SE3${hasSimulatedPrices ? ' (simulated market)' : ''}`],
    ['Gateway', `${gateway_url}, serial ${gateway_serial}`],
    ...simulated,
    ['Data', `${resolve(dataDir)} (all of the above in ${stateFile(resolve(dataDir))})`],
    ['Open', `${cloud_url} (the gateway has its own page at ${gateway_url})`],
  ];
  const tries = [
    `curl ${cloud_url}/public/cells`,
    `curl '${price_url}/price/total?area=SE3'`,
    devices?.[0] ? `curl ${gateway_url}/api/devices/${devices[0].sn}/data/json` : `curl ${gateway_url}/api/devices`,
  ];
  return [
    '',
    ...rows.map(([what, where]) => `${what.padEnd(10)}${where}`),
    '',
    ...moved,
    'To try:',
    ...tries.map((line) => `  ${line}`),
    '',
    'Press Ctrl-C to stop.',
    `ready ${cloud_url}`,
    '',
  ].join('\n');
}
