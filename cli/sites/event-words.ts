import type { SiteEvent, SiteReading } from '#contract/client/site-stream.ts';
import { plainMessage } from '../line/plain-message.ts';
import { showPower } from '../line/quantity.ts';
import { printable } from '../terminal/printable.ts';
import { commandWords, energyWords, powerWords } from './der-words.ts';
import type { DersOfSite } from './ders-of-site.ts';

/** What happened, as a sentence or two. */
export function eventWords(event: Exclude<SiteEvent, { type: 'reading' }>, ders: DersOfSite): string {
  switch (event.type) {
    case 'connected':
      return 'Connected.';
    case 'disconnected':
      return `The connection is lost: ${printable(plainMessage(event.error.message))} It is tried again.`;
    case 'gap':
      return 'Some readings of the meantime can no longer be shown.';
    case 'device':
      return `Device ${event.data.device_id} is ${event.data.state}.`;
    case 'gateway':
      return `Gateway ${event.data.gateway_serial} is ${event.data.online ? 'online' : 'offline'}.`;
    case 'command': {
      const { der_id, power_w, status, history } = event.data;
      const der = ders.all.get(der_id);
      const what = der
        ? `${der.name}: ${commandWords(der.type, power_w)}`
        : `${der_id}: ${power_w < 0 ? '-' : ''}${showPower(power_w)}`;
      const message = history.at(-1)?.message;
      return `Command ${what}, ${status}${message ? `: ${printable(message)}` : '.'}`;
    }
  }
}

/** A reading in one line. */
export function readingWords(reading: SiteReading, ders: DersOfSite): string {
  const { name, type } = ders.of(reading);
  const power = typeof reading.W === 'number' ? powerWords(type, reading.W) : 'power not known';
  return [new Date(reading.timestamp).toISOString(), name, type, power, energyWords(type, reading)]
    .filter(Boolean)
    .join('  ');
}
