import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#contract/client.ts';
import { checkLedger, createLedger } from '#sim/fleet/ledger.ts';
import { freePort } from '../free-port.ts';
import { type Chaos, openChaosProxy } from './chaos-proxy.ts';
import { enrolFleet } from './fleet.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { startPlatform } from './platform.ts';

export type Kills = {
  gateway: number;
  platform: number;
  /** faults of the connection between the two, one after another */
  troubles?: readonly Chaos[];
};

export type Planted = { gateway?: Record<string, string>; platform?: Record<string, string> };

/** Each start of such a gateway uses the first numbers again. */
export const oldNumbers: Planted = { gateway: { PLANTED_BUG: 'sequence numbers start again after a restart' } };

/** This gateway trusts the acknowledgement of a broker, and the broker gives it before readings are stored. */
export const trustedBroker: Planted = { gateway: { TRUST: 'broker' }, platform: { PLANTED: 'early-ack' } };

/** This gateway reports samples as stored before they are on disk. */
export const earlyWord: Planted = { gateway: { PLANTED: 'early-word' } };

export type KillVerdict = {
  kept: number;
  stored: number;
  lost: number;
  twice: number;
  phantom: number;
  reusedSeq: number;
  connections: number;
};

const patience = 600; // looks, 5 ms apart
const sendingMs = 2000; // at most, for a gateway that is killed while the platform acknowledges
const troubleMs = 1000;
const spanMs = 10_000; // each run of the gateway has this many milliseconds for its readings
const stepMs = 2; // stored readings in this range were never sent

/**
 * Kills the gateway, every other time while the platform acknowledges, then the platform with its broker, repeatedly,
 * and counts what remains of the samples that were on disk.
 */
export async function killUnderLoad(kills: Kills, planted: Planted = {}): Promise<KillVerdict> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-faults-'));
  const [cloudPort, mqttPort] = [await freePort(), await freePort()];
  const platformEnv = {
    DATA_DIR: join(folder.path, 'cloud'),
    CLOUD_PORT: String(cloudPort),
    MQTT_PORT: String(mqttPort),
    ...planted.platform,
  };
  let platform = await startPlatform(platformEnv);
  const wire = await openChaosProxy(mqttPort);
  let gateway: Gateway | undefined;
  try {
    const fleet = await enrolFleet(platform.url, 1);
    const [{ signer, der }] = fleet.gateways as [(typeof fleet.gateways)[number]];
    const ledger = createLedger();
    const seqs = new Set<number>();
    let reusedSeq = 0;
    let highest = -1;
    const onKept = (samples: { seq: number; at: number }[]): void => {
      for (const { seq, at } of samples) {
        if (seq <= highest || seqs.has(seq)) reusedSeq++;
        highest = Math.max(highest, seq);
        seqs.add(seq);
        ledger.acknowledge({ der, at });
      }
    };

    let from = Date.now() - 3_300_000;
    const nextRun = (forMs = spanMs): Gateway => {
      from += spanMs;
      for (let at = from; at < from + forMs; at += stepMs) ledger.intend({ der, at });
      return startGateway(
        {
          DATA_DIR: join(folder.path, 'outbox'),
          MQTT_URL: `mqtt://127.0.0.1:${wire.port}`,
          SERIAL: signer.serial,
          KEY: signer.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
          FROM: String(from),
          END: String(from + forMs),
          STEP: String(stepMs),
          ...planted.gateway,
        },
        onKept,
      );
    };
    /** A kill before anything was on disk proves nothing; a gateway that has used up its readings gets new ones. */
    const untilMoreIsKept = async (mostMs = 200): Promise<void> => {
      const before = ledger.acknowledged();
      for (let waited = 0; ledger.acknowledged() === before; waited++) {
        gateway!.checkRunning();
        if (waited % patience === patience - 1) {
          await gateway!.kill();
          gateway = nextRun();
        }
        await sleep(5);
      }
      await sleep(Math.random() * mostMs);
    };

    gateway = nextRun();
    for (let kill = 0; kill < kills.gateway; kill++) {
      const isSending = kill % 2 === 0;
      if (isSending) while (!gateway.isAcknowledged()) await sleep(5);
      await untilMoreIsKept(isSending ? sendingMs : undefined);
      await gateway.kill();
      gateway = nextRun();
    }
    for (let kill = 0; kill < kills.platform; kill++) {
      if (kill % 5 === 4) {
        await gateway.kill(); // both at once, and new numbers for the readings
        gateway = nextRun();
      }
      while (!gateway.isConnected()) await sleep(5);
      await untilMoreIsKept();
      await platform.kill();
      platform = await startPlatform(platformEnv);
    }
    if (kills.troubles) while (!gateway.isConnected()) await sleep(5); // it counts as a connection
    for (const trouble of kills.troubles ?? []) {
      await gateway.kill();
      wire.set({});
      gateway = nextRun();
      while (!gateway.isConnected()) await sleep(5);
      const before = wire.connections();
      wire.set(trouble);
      await untilMoreIsKept();
      await sleep(troubleMs);
      while (trouble.cutAfterBytes && wire.connections() === before) await sleep(5);
    }

    wire.set({});
    await gateway.kill();
    gateway = nextRun(0);
    await untilNothingWaits(gateway);
    const {
      acknowledged: kept,
      stored,
      lost,
      twice,
      phantom,
    } = await checkLedger(createClient({ baseUrl: platform.url, token: fleet.token }), ledger);
    return { kept, stored, lost, twice, phantom, reusedSeq, connections: wire.connections() };
  } finally {
    await gateway?.kill();
    await wire.close();
    await platform.kill();
  }
}

async function untilNothingWaits(gateway: Gateway): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (gateway.waiting() > 0) {
    if (Date.now() > deadline) throw new Error(`${gateway.waiting()} samples still wait.`);
    await sleep(50);
  }
}
