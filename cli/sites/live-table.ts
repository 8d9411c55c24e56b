import type { SiteEvent, SiteReading } from '#contract/client/site-stream.ts';
import type { DerTypeId } from '#contract/der.ts';
import { isStaleAt } from '#contract/time.ts';
import { showAge } from '../line/quantity.ts';
import { localTime } from '../line/time-range.ts';
import { columns } from '../terminal/output.ts';
import { clip } from '../terminal/printable.ts';
import { energyWords, powerWords } from './der-words.ts';
import type { DersOfSite } from './ders-of-site.ts';
import { eventWords } from './event-words.ts';

export type LiveTable = {
  take(event: SiteEvent, now: number): void;
  /** What stands below the table. */
  note(line: string): void;
  lines(now: number): string[];
};

const mostEvents = 5;
const widestName = 28;

const shortTypes: Partial<Record<DerTypeId, string>> = { ev_charger_port: 'charger' };

/** A site as it is now: a row for each DER, and what happened last. */
export function createLiveTable(title: string, ders: DersOfSite, timeZone: string): LiveTable {
  const readings = new Map<string, SiteReading>();
  const events: string[] = [];
  let connection = 'connecting';
  let noted = '';

  function tell(text: string, now: number): void {
    events.push(`${localTime(timeZone, now).slice(11)}  ${text}`);
    if (events.length > mostEvents) events.shift();
  }

  return {
    take(event, now) {
      if (event.type === 'reading') {
        ders.of(event.reading);
        readings.set(event.reading.der_id, event.reading);
        return;
      }
      const wasLost = connection === 'connection lost';
      if (event.type === 'connected') connection = 'live';
      if (event.type === 'disconnected') connection = 'connection lost';
      if (event.type === 'connected' && !wasLost) return;
      tell(event.type === 'connected' ? 'The connection is back.' : eventWords(event, ders), now);
    },

    note(line) {
      noted = line;
    },

    lines(now) {
      const rows = [...ders.all].map(([id, { name, type }]) => {
        const reading = readings.get(id);
        const shown = [clip(name, widestName), shortTypes[type] ?? type];
        if (!reading) return [...shown, '-', 'nothing yet', '-'];
        const ageMs = now - reading.timestamp;
        return [
          ...shown,
          typeof reading.W === 'number' ? powerWords(type, reading.W) : '-',
          `${showAge(ageMs)} ago${isStaleAt(reading.timestamp, now) ? ', stale' : ''}`,
          energyWords(type, reading) || '-',
        ];
      });
      const table = columns([['NAME', 'TYPE', 'POWER', 'AGE', 'ENERGY'], ...rows]);
      return [
        `${title} (${connection})`,
        '',
        ...(rows.length > 0 ? table.split('\n') : ['The site has no devices yet; see ohmstead device --help.']),
        ...(noted ? ['', noted] : []),
        ...(events.length > 0 ? ['', ...events] : []),
        '',
        'Ctrl-C ends it.',
      ];
    },
  };
}
