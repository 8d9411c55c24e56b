import type { DeviceTypeId } from '#contract/der.ts';

type Subject = DeviceTypeId | 'gateway';

const charger = 'M17 8h14v32H17zM21 13h6v6h-6zM31 28h3a3 3 0 0 1 3 3v3a2.5 2.5 0 0 0 5 0V20l-4-4M24 24l-3 6h6l-3 6';
const meter = 'M11 6h26v36H11zM16 12h16v9H16zM20 31a4 4 0 1 0 8 0 4 4 0 0 0-8 0M16 37h.01M32 37h.01';

// Drawn on a 48 by 48 grid.
const drawings: Record<Subject, string> = {
  inverter: 'M10 7h28v28H10zM16 35v6M32 35v6M15 14h18v9H15zM17 18.5q2.5-4 5 0t5 0 4-2M17 29h.01M22 29h.01M27 29h4',
  battery: 'M14 10h20v32H14zM20 6h8v4h-8zM18 34h12v4H18zM18 28h12M18 22h12M18 16h12',
  ev_charger: charger,
  v2x_charger: charger,
  energy_meter: meter,
  meter,
  gateway: 'M8 26h32v14H8zM14 33h.01M20 33h.01M27 33h8M24 26v-6M17 16a10 10 0 0 1 14 0M12 11a17 17 0 0 1 24 0',
};

/** A simple drawing beside the name of a device; screen readers skip it. */
export const DevicePicture = ({ of: subject }: { of: Subject }) => (
  <svg class="device-picture" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
    <path
      d={drawings[subject]}
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
);
