import type { SiteEvent, SiteReading } from '#contract/client/site-stream.ts';
import type { DerTypeId } from '#contract/der.ts';
import { isStaleAt } from '#contract/time.ts';
import { formatAge } from '../line/quantity.ts';
import { formatLocalTime } from '../line/time.ts';
import { clip, columns } from '../terminal/output.ts';
import { describeEnergy, describePower } from './der-words.ts';
import type { SiteDers } from './event-words.ts';
import { describeEvent } from './event-words.ts';

const maxEvents = 5;
const maxNameWidth = 28;

const shortTypes: Partial<Record<DerTypeId, string>> = { ev_charger_port: 'charger' };

/** Creates a table of a site: a row for each DER, and the latest events. */
export function createLiveTable(title: string, ders: SiteDers, timeZone: string) {
  const readings = new Map<string, SiteReading>();
  const events: string[] = [];
  let connection = 'connecting';
  let footer = '';

  function addEvent(text: string, now: number): void {
    events.push(`${formatLocalTime(timeZone, now).slice(11)}  ${text}`);
    if (events.length > maxEvents) events.shift();
  }

  return {
    onEvent(event: SiteEvent, now: number): void {
      if (event.type === 'reading') {
        ders.of(event.reading);
        readings.set(event.reading.der_id, event.reading);
        return;
      }
      const wasLost = connection === 'connection lost';
      if (event.type === 'connected') connection = 'live';
      if (event.type === 'disconnected') connection = 'connection lost';
      if (event.type === 'connected' && !wasLost) return;
      addEvent(event.type === 'connected' ? 'Connected again.' : describeEvent(event, ders), now);
    },

    setFooter(line: string): void {
      footer = line;
    },

    lines(now: number): string[] {
      const rows = [...ders.all].map(([id, { name, type }]) => {
        const reading = readings.get(id);
        const shown = [clip(name, maxNameWidth), shortTypes[type] ?? type];
        if (!reading) return [...shown, '-', 'no data yet', '-'];
        const ageMs = now - reading.timestamp;
        return [
          ...shown,
          typeof reading.W === 'number' ? describePower(type, reading.W) : '-',
          `${formatAge(ageMs)} ago${isStaleAt(reading.timestamp, now) ? ', stale' : ''}`,
          describeEnergy(type, reading) || '-',
        ];
      });
      const table = columns([['NAME', 'TYPE', 'POWER', 'AGE', 'ENERGY'], ...rows]);
      return [
        `${title} (${connection})`,
        '',
        ...(rows.length > 0 ? table.split('\n') : ['The site has no devices yet; see ohmstead device --help.']),
        ...(footer ? ['', footer] : []),
        ...(events.length > 0 ? ['', ...events] : []),
        '',
        'Press Ctrl-C to stop.',
      ];
    },
  };
}
