import type { Signal } from '@preact/signals';
import { defaultLeaseS, maxLeaseS } from '#contract/command.ts';
import { Select } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';

const t = texts({
  en: { label: 'For how long', minute: '1 minute', minutes: '{count} minutes', hour: '1 hour' },
  sv: { label: 'Hur länge', minute: '1 minut', minutes: '{count} minuter', hour: '1 timme' },
});

const choices = [1, 5, 15, 30, maxLeaseS / 60]; // minutes

/** How long a command holds; the value is in seconds. */
export const DurationField = ({ value }: { value: Signal<string> }) => (
  <Select
    label={t('label')}
    value={value}
    choices={choices.map((count) => ({
      value: String(count * 60),
      label: count === 1 ? t('minute') : count === 60 ? t('hour') : t('minutes', { count }),
    }))}
  />
);

export const usualDuration = String(defaultLeaseS);
