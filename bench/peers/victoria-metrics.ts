import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#test/free-port.ts';
import { folderBytes } from './folder-bytes.ts';
import { get } from './get.ts';
import { startPeer } from './peer-process.ts';
import { latestWithinMs, type TimeSeriesPeer } from './time-series-peer.ts';

// A field W of the measurement meter is the series meter_W.

type Answer = { data: { result: { values?: unknown[]; value?: unknown[] }[] } };
type Exported = { metric: { der: string }; timestamps: number[] };

const within = `${latestWithinMs / 1000}s`;

/** Default settings, except for a retention of several months. */
export async function startVictoriaMetrics(file: string, folder: string): Promise<TimeSeriesPeer> {
  const address = `127.0.0.1:${await freePort()}`;
  const url = `http://${address}`;
  const peer = await startPeer({
    file,
    args: [`-storageDataPath=${folder}`, `-httpListenAddr=${address}`, '-retentionPeriod=100y'],
    answers: () => get(`${url}/health`),
  });
  return {
    ...peer,
    name: 'VictoriaMetrics',
    url,
    async write(lines) {
      await get(`${url}/write?precision=ms`, { method: 'POST', body: lines });
    },
    async settle() {
      await get(`${url}/internal/force_flush`);
      await get(`${url}/internal/force_merge`); // answers at once, and merges in the background
      do await sleep(1000);
      while (!/^vm_active_force_merges 0$/m.test(await get(`${url}/metrics`)));
    },
    bytes: async () => (await folderBytes(join(folder, 'data'))) + (await folderBytes(join(folder, 'indexdb'))),
    async stored() {
      await get(`${url}/internal/force_flush`);
      const lines = (await get(`${url}/api/v1/export?match[]=meter_W`)).split('\n').filter(Boolean);
      const exported = lines.map((line): Exported => JSON.parse(line)); // a series may come in several lines
      const byDer = Map.groupBy(exported, ({ metric }) => metric.der);
      return new Map([...byDer].map(([der, parts]) => [der, parts.flatMap(({ timestamps }) => timestamps)]));
    },
    history({ der, field, from, to, widthMs }) {
      const series = field ? `meter_${field}{der="${der}"}` : `{__name__=~"meter_.+",der="${der}"}`;
      const query = `avg_over_time(${series}[${widthMs / 1000}s]) keep_metric_names`;
      const range = { start: (from + widthMs) / 1000, end: to / 1000, step: `${widthMs / 1000}s` };
      return `/api/v1/query_range?${search({ query, ...range, nocache: 1 })}`; // asked twice, it computes twice
    },
    latest(ders, at) {
      const query = `last_over_time({__name__=~"meter_.+",der=~"${ders.join('|')}"}[${within}])`;
      return `/api/v1/query?${search({ query, time: at / 1000, nocache: 1 })}`;
    },
    sumOfLatest: (at) =>
      `/api/v1/query?${search({ query: `sum(last_over_time(meter_W[${within}]))`, time: at / 1000, nocache: 1 })}`,
    countValues: (answer) => (answer as Answer).data.result.reduce((sum, { values }) => sum + (values?.length ?? 1), 0),
  };
}

const search = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
