import { flushCompileCache } from 'node:module';
import { openTransport } from '#cloud/broker/open-transport.ts';
import type { Transport } from '#cloud/broker/transport.ts';
import { startCloud } from '#cloud/main.ts';
import type { Db } from '#cloud/store/engine.ts';
import { runStatements } from '#cloud/store/kysely.ts';
import { migrations } from '#cloud/store/migrate.ts';

// The platform as a process that tests kill. PLANTED gives it a bug that the ledger must notice:
// `early-ack` acknowledges a message when it is received, and stores it a moment later;
// `forgetful` acknowledges one message out of a hundred and does not store it.
// NEXT_BUILD=yes makes it a later build, which has one more migration.

const { PLANTED, NEXT_BUILD, ...env } = process.env;

if (NEXT_BUILD) {
  const up = (db: Db) =>
    runStatements(db, 'alter table sites add column remark text; create index sites_by_remark on sites (remark)');
  (migrations as { name: string; up(db: Db): Promise<void> }[]).push({ name: '999-remarks', up });
}

type Take = Parameters<Transport['start']>[0]['message'];

const planting = (transport: Transport, bug: (take: Take) => Take): Transport =>
  Object.create(transport, {
    start: {
      value: (events: Parameters<Transport['start']>[0]) =>
        transport.start({ ...events, message: bug(events.message) }),
    },
  });

const acknowledgingEarly =
  (take: Take): Take =>
  async (message) => {
    setTimeout(() => void take(message).catch(() => {}), 150);
    return true;
  };

let count = 0;
const forgetting =
  (take: Take): Take =>
  async (message) =>
    ++count % 100 === 0 || take(message);

const bugs: Record<string, typeof acknowledgingEarly> = { 'early-ack': acknowledgingEarly, forgetful: forgetting };

const { url, mqttUrl, close } = await startCloud(env, {
  version: 'test',
  openTransport: async (config, admission, options) => {
    const transport = await openTransport(config, admission, options);
    const bug = bugs[PLANTED ?? ''];
    return bug ? planting(transport, bug) : transport;
  },
});
process.send?.({ url, mqttUrl });
process.once('SIGTERM', () => void close().then(() => process.exit()));
flushCompileCache(); // at the end would be too late
