const width = 320;
const horizon = 96;

/** The sun on its way from the left at six to the right at eighteen, and the clouds before it. */
export function Sky({ elevation, hour, clouds }: { elevation: number; hour: number; clouds: number }) {
  const isDay = elevation > 0;
  const x = ((hour - 4) / 16) * width;
  const y = horizon - Math.max(-20, Math.min(60, elevation)) * 1.35;
  const puffs = [40, 100, 160, 220, 280].slice(0, Math.round(clouds * 5));
  return (
    <svg class={isDay ? 'sky day' : 'sky night'} viewBox={`0 0 ${width} 120`} aria-hidden="true">
      <rect width={width} height="120" rx="12" class="air" style={{ opacity: 1 - clouds * 0.35 }} />
      <circle class="sun-disc" cx={x} cy={y} r="15" />
      {puffs.map((at, i) => (
        <g key={at} class="cloud" transform={`translate(${at - 26} ${24 + (i % 2) * 18})`}>
          <ellipse cx="26" cy="16" rx="26" ry="10" />
          <circle cx="20" cy="10" r="10" />
          <circle cx="34" cy="11" r="8" />
        </g>
      ))}
      <path
        class="ground"
        d={`M0 ${horizon} h ${width} v 12 a 12 12 0 0 1 -12 12 h ${24 - width} a 12 12 0 0 1 -12 -12 z`}
      />
      <path
        class="roofs"
        d="M40 96 v-12 l12 -9 l12 9 v12 z M92 96 v-15 l14 -10 l14 10 v15 z M150 96 v-11 l11 -8 l11 8 v11 z M206 96 v-16 l15 -11 l15 11 v16 z M262 96 v-12 l12 -9 l12 9 v12 z"
      />
    </svg>
  );
}
