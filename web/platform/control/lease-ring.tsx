import { clockSpan } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';

const t = texts({ en: { left: 'left' }, sv: { left: 'kvar' } });

const radius = 44;
const around = 2 * Math.PI * radius;

/** How much longer a command holds: the ring empties with the time. */
export function LeaseRing({ leftMs, ofMs }: { leftMs: number; ofMs: number }) {
  const left = Math.min(Math.max(leftMs, 0), ofMs);
  return (
    <div class="lease-ring" role="timer">
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle class="whole" cx="50" cy="50" r={radius} />
        <circle
          class="rest"
          cx="50"
          cy="50"
          r={radius}
          stroke-dasharray={around}
          stroke-dashoffset={around * (1 - left / ofMs)}
        />
      </svg>
      <span>
        <b>{clockSpan(left)}</b> {t('left')}
      </span>
    </div>
  );
}
