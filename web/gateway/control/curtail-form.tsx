import { useSignal } from '@preact/signals';
import { curtail } from '#contract/gateway/control.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { DecimalField } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { DurationField, usualDuration } from './duration-field.tsx';

const t = texts({
  en: { title: 'Curtail the panels', power: 'The most that is generated, W', submit: 'Curtail them' },
  sv: { title: 'Begränsa panelerna', power: 'Det mesta som produceras, W', submit: 'Begränsa' },
});

export function CurtailForm({ sn }: { sn: string }) {
  const watts = useSignal('');
  const duration = useSignal(usualDuration);
  const command = useAction(() =>
    gateway.call(curtail, { params: { sn }, body: { power_w: Number(watts.value), ttl_s: Number(duration.value) } }),
  );
  return (
    <details class="command">
      <summary>{t('title')}</summary>
      <ActionForm does={command} submit={t('submit')}>
        <DecimalField label={t('power')} min={0} required value={watts} />
        <DurationField value={duration} />
      </ActionForm>
    </details>
  );
}
