import type { SiteEvent, SiteReading } from '#contract/client/site-stream.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import type { DerTypeId } from '#contract/der.ts';
import { plainMessage } from '../line/plain-message.ts';
import { formatPower } from '../line/quantity.ts';
import { printable } from '../terminal/output.ts';
import { describeCommand, describeEnergy, describePower } from './der-words.ts';

export function describeEvent(event: Exclude<SiteEvent, { type: 'reading' }>, ders: SiteDers): string {
  switch (event.type) {
    case 'connected':
      return 'Connected.';
    case 'disconnected':
      return `Connection lost: ${printable(plainMessage(event.error.message))} Reconnecting.`;
    case 'gap':
      return 'Some readings were missed while disconnected.';
    case 'device':
      return `Device ${event.data.device_id} is ${event.data.state}.`;
    case 'gateway':
      return `Gateway ${event.data.gateway_serial} is ${event.data.online ? 'online' : 'offline'}.`;
    case 'command': {
      const { der_id, power_w, status, history } = event.data;
      const der = ders.all.get(der_id);
      const what = der
        ? `${der.name}: ${describeCommand(der.type, power_w)}`
        : `${der_id}: ${power_w < 0 ? '-' : ''}${formatPower(power_w)}`;
      const message = history.at(-1)?.message;
      return `Command ${what}, ${status}${message ? `: ${printable(message)}` : '.'}`;
    }
  }
}

export function describeReading(reading: SiteReading, ders: SiteDers): string {
  const { name, type } = ders.of(reading);
  const power = typeof reading.W === 'number' ? describePower(type, reading.W) : 'power unknown';
  return [new Date(reading.timestamp).toISOString(), name, type, power, describeEnergy(type, reading)]
    .filter(Boolean)
    .join('  ');
}

type NamedDer = { name: string; type: DerTypeId };

type Read = { der_id: string; der_name: string; der_type: DerTypeId };

export type SiteDers = ReturnType<typeof nameDers>;

/** Names the DERs of a site, as `device/der` where several share a name. */
export function nameDers({ devices }: Pick<SiteDetails, 'devices'>) {
  const listed = devices.flatMap((device) => device.ders.map((der) => ({ device, der })));
  const isShared = (name: string): boolean => listed.filter(({ der }) => der.name === name).length > 1;
  const all = new Map<string, NamedDer>(
    listed.map(({ device, der }) => [
      der.id,
      { name: isShared(der.name) ? `${device.name}/${der.name}` : der.name, type: der.type },
    ]),
  );
  return {
    /** by id, in the order of the site */
    all,
    /** Returns the DER of a reading; adds it if it was provisioned after the start. */
    of({ der_id, der_name, der_type }: Read): NamedDer {
      const known = all.get(der_id) ?? { name: der_name, type: der_type };
      all.set(der_id, known);
      return known;
    },
  };
}
