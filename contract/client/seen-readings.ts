import type { SiteReading } from './site-events.ts';

const remembered = 32; // of each DER; what comes twice are the last few, around a new beginning

/** Tells whether a reading is new. The platform has one of a DER at an instant, and may send it again after a gap. */
export function createSeenReadings(): (reading: SiteReading) => boolean {
  const seen = new Map<string, number[]>();
  return ({ der_id, timestamp }) => {
    const last = seen.get(der_id) ?? [];
    if (last.includes(timestamp)) return false;
    seen.set(der_id, [...last.slice(1 - remembered), timestamp]);
    return true;
  };
}
