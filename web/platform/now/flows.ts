import { siteKindOf, withOneGridMeter } from '#contract/balance.ts';
import type { SiteReading } from '#contract/client/site-stream.ts';
import type { DeviceListing } from '#contract/cloud/devices.ts';
import { type Flows, flowsFrom } from '../../flow/flows.ts';

type Readings = ReadonlyMap<string, SiteReading>;

/** Calculates the flows of a site from the latest readings; includes the grid meter's whole reading. */
export function flowsOf(
  devices: readonly DeviceListing[],
  readings: Readings,
  nowMs: number,
): Flows & { grid?: SiteReading } {
  const measured = withOneGridMeter(
    devices.flatMap(({ type: deviceType, state, ders }) =>
      ders.flatMap((der) => {
        const kind = state === 'orphaned' ? undefined : siteKindOf(der.type, deviceType);
        return kind ? [{ kind, deviceType, reading: readings.get(der.id) }] : [];
      }),
    ),
  );
  const grid = measured.find(({ kind }) => kind === 'meter')?.reading;
  return { ...flowsFrom(measured, nowMs), ...(grid && { grid }) };
}
