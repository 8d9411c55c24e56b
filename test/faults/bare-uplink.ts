import { type Outbox, openOutbox } from '#gateway/uplink/outbox/outbox.ts';
import { createTrustedTime, readBootId } from '#gateway/uplink/trusted-time.ts';
import { createUplink, type UplinkDeps } from '#gateway/uplink/uplink.ts';
import { monotonicClock, systemClock } from '#lib/clock.ts';
import { brokerToken, type TokenSigner } from '../cloud/gateway-client.ts';

type BareUplink = Pick<UplinkDeps, 'log' | 'trust' | 'limits'> & {
  gateway: TokenSigner;
  /** of the outbox */
  folder: string;
  /** what the uplink gets instead of its outbox */
  watched?: (outbox: Outbox) => Outbox;
};

/** Opens the uplink of a gateway alone, on an outbox that can be observed. */
export async function openBareUplink({ gateway, folder, watched, ...own }: BareUplink) {
  const boot = await readBootId();
  const time = createTrustedTime(systemClock, monotonicClock);
  const outbox = await openOutbox({ folder, time, monotonic: monotonicClock, boot, limits: own.limits, log: own.log });
  const deps = {
    ...own,
    serial: gateway.serial,
    version: 'test',
    platform: 'test',
    dataDir: folder,
    boot,
    brokerToken: () => brokerToken(gateway, systemClock.now()),
    devices: () => [],
    onCommand: () => {},
    clock: systemClock,
    monotonic: monotonicClock,
  };
  return { outbox, uplink: createUplink(deps, time, watched ? watched(outbox) : outbox) };
}
