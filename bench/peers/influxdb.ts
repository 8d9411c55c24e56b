import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#test/free-port.ts';
import { folderBytes } from './folder-bytes.ts';
import { get } from './get.ts';
import { startPeer } from './peer-process.ts';
import { latestWithinMs, type TimeSeriesPeer } from './time-series-peer.ts';

type Series = { tags?: { der: string }; values: (number | null)[][] };
type Answer = { results: { series?: Series[]; error?: string }[] };

const database = 'bench';
const stillForMs = 10_000; // longer than its pause between two compactions

/** Starts InfluxDB 1 with its defaults, in its own folder. */
export async function startInfluxDb(file: string, folder: string): Promise<TimeSeriesPeer> {
  const [http, rpc] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const url = `http://${http}`;
  const config = join(folder, 'influxdb.conf'); // empty, so that no other configuration is read
  await writeFile(config, '');
  const folders = { meta: join(folder, 'meta'), data: join(folder, 'data'), wal: join(folder, 'wal') };
  const asked = (q: string): string => `/query?db=${database}&epoch=ms&q=${encodeURIComponent(q)}`;
  const peer = await startPeer({
    file,
    args: ['-config', config],
    env: {
      INFLUXDB_META_DIR: folders.meta,
      INFLUXDB_DATA_DIR: folders.data,
      INFLUXDB_DATA_WAL_DIR: folders.wal,
      INFLUXDB_HTTP_BIND_ADDRESS: http,
      INFLUXDB_BIND_ADDRESS: rpc,
    },
    answers: () => get(url + asked(`create database ${database}`), { method: 'POST' }),
  });
  // Besides these there are sparse index files of a fixed size, and the log of data that these contain already.
  const bytes = (): Promise<number> => folderBytes(join(folders.data, database, 'autogen'));
  return {
    ...peer,
    name: 'InfluxDB',
    url,
    async write(lines) {
      await get(`${url}/write?db=${database}&precision=ms`, { method: 'POST', body: lines });
    },
    async settle() {
      // Otherwise it would wait four hours without a write.
      await peer.restart({
        INFLUXDB_DATA_CACHE_SNAPSHOT_WRITE_COLD_DURATION: '1s',
        INFLUXDB_DATA_COMPACT_FULL_WRITE_COLD_DURATION: '1s',
      });
      for (let before = -1, now = await bytes(); now !== before; now = await bytes()) {
        before = now;
        await sleep(stillForMs);
      }
    },
    bytes,
    async stored() {
      const { results }: Answer = JSON.parse(await get(url + asked('select W from meter group by der')));
      return new Map((results[0]!.series ?? []).map(({ tags, values }) => [tags!.der, values.map(([at]) => at!)]));
    },
    history({ der, field, from, to, widthMs }) {
      const range = `der = '${der}' and time >= ${from}ms and time < ${to}ms`;
      return asked(`select mean(${field ? `"${field}"` : '*'}) from meter where ${range} group by time(${widthMs}ms)`);
    },
    latest: (ders, at) =>
      asked(`select last(*) from meter where der =~ /^(${ders.join('|')})$/ and ${lately(at)} group by der`),
    sumOfLatest: (at) => asked(`select sum(last) from (select last(W) from meter where ${lately(at)} group by der)`),
    countValues(answer) {
      const series = (answer as Answer).results[0]!.series ?? [];
      return series.flatMap(({ values }) => values.flatMap(([, ...fields]) => fields.filter(isThere))).length;
    },
  };
}

const isThere = (value: number | null): value is number => value !== null;

const lately = (at: number): string => `time > ${at - latestWithinMs}ms and time <= ${at}ms`;
