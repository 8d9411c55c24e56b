import { useSignal } from '@preact/signals';
import { curtail } from '#contract/gateway/control.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Field } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { DurationField, usualDuration } from './duration-field.tsx';

const t = texts({
  en: { title: 'Limit the sun', power: 'The most that is generated, W', submit: 'Limit it' },
  sv: { title: 'Begränsa solen', power: 'Det mesta som produceras, W', submit: 'Begränsa' },
});

export function LimitForm({ sn }: { sn: string }) {
  const watts = useSignal('');
  const duration = useSignal(usualDuration);
  const limit = useAction(() =>
    gateway.call(curtail, { params: { sn }, body: { power_w: Number(watts.value), ttl_s: Number(duration.value) } }),
  );
  return (
    <details class="command">
      <summary>{t('title')}</summary>
      <ActionForm does={limit} submit={t('submit')}>
        <Field label={t('power')} type="number" min={0} step="any" required value={watts} />
        <DurationField value={duration} />
      </ActionForm>
    </details>
  );
}
