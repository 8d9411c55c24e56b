// Paths on a 24 by 24 grid, drawn in the colour of the text.
const paths = {
  now: 'M13 2 4 14h6l-1 8 9-12h-6z',
  history: 'M3 20h18M6 16v-5M11 16V6M16 16v-8M20 16v-3',
  prices: 'M3 17l5-6 4 3 8-9M15 5h5v5',
  control: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4v6M9 14v6',
  devices: 'M5 4h14v10H5zM9 20h6M12 14v6M9 9h6',
  sites: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  gateways: 'M4 14h16v6H4zM8 17h.01M12 17h4M8 10a6 6 0 0 1 8 0M5 7a10 10 0 0 1 14 0',
  organizations:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14a6.5 6.5 0 0 1 3.5 6',
  integrations: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM17 14v6M14 17h6',
  map: 'M9 4 3 6v14l6-2 6 2 6-2V4l-6 2zM9 4v14M15 6v14',
  developer: 'M8 7l-5 5 5 5M16 7l5 5-5 5M14 4l-4 16',
  street: 'M12 3v2M5.6 5.6 7 7M3 12h2M18.4 5.6 17 7M21 12h-2M8 16a4 4 0 1 1 8 0M4 20h16M4 16h16',
  settings: 'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
  battery: 'M3 8h15v8H3zM18 11h3v2h-3M6 11v2M9 11v2',
  grid: 'M8 21 12 3l4 18M6 8h12M7 13h10M9.5 13l5 5M14.5 13l-5 5',
  car: 'M4 16v-4l2-5h12l2 5v4zM4 12h16M7 16v2M17 16v2M7.5 14h.01M16.5 14h.01',
  house: 'M4 11l8-7 8 7v9H4zM10 20v-6h4v6',
  load: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  log: 'M6 3h9l4 4v14H6zM9 11h7M9 15h7M9 7h3',
  network: 'M12 20h.01M8.5 16.5a5 5 0 0 1 7 0M5.5 13a9 9 0 0 1 13 0M2.5 9.5a13.5 13.5 0 0 1 19 0',
  alerts: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4',
  claim: 'M14 7a4 4 0 1 0-3.5 4L4 17.5V20h3v-2h2v-2h2l2-2',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
} as const;

export type IconName = keyof typeof paths;

/** An icon beside a word; screen readers skip it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.8"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
