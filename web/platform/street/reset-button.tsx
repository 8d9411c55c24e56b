import { resetSimulation } from '#contract/simulation.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { simulation } from './played.ts';

const t = texts({ en: { reset: 'Leave it to itself again' }, sv: { reset: 'Låt den sköta sig själv igen' } });

export function ResetButton() {
  const reset = useAction(async () => {
    simulation.value = await api().call(resetSimulation);
  });
  return (
    <>
      <ActionButton does={reset} tone="plain">
        {t('reset')}
      </ActionButton>
      {reset.problem !== undefined && <Failed problem={reset.problem} />}
    </>
  );
}
