import { number } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';

const t = texts({
  en: { s: '{count} s', min: '{count} min', h: '{count} h', d: '{count} days' },
  sv: { s: '{count} s', min: '{count} min', h: '{count} tim', d: '{count} dygn' },
});

/** How long something has lasted, in the unit that fits. */
export function duration(seconds: number): string {
  if (seconds < 120) return t('s', { count: number(seconds) });
  if (seconds < 7200) return t('min', { count: number(seconds / 60) });
  if (seconds < 2 * 86_400) return t('h', { count: number(seconds / 3600) });
  return t('d', { count: number(seconds / 86_400) });
}
