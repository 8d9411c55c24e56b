import { useSignal } from '@preact/signals';
import { type System, setLogStream, streamLevels } from '#contract/gateway/system.ts';
import { useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Select, Switch } from '../../parts/field.tsx';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';

const t = texts({
  en: {
    title: 'Log to the platform',
    says: 'For those who help from afar. It ends with a restart.',
    send: 'Send the log to the platform',
    level: 'How much',
    error: 'Errors',
    warn: 'Warnings, too',
    info: 'The story of the day',
    debug: 'Everything for finding a fault',
    trace: 'Every detail',
  },
  sv: {
    title: 'Logg till plattformen',
    says: 'För den som hjälper till på avstånd. Upphör vid en omstart.',
    send: 'Skicka loggen till plattformen',
    level: 'Hur mycket',
    error: 'Fel',
    warn: 'Varningar också',
    info: 'Det som händer under dagen',
    debug: 'Allt för felsökning',
    trace: 'Varje detalj',
  },
});

const levels = ['error', 'warn', 'info', 'debug', 'trace'] as const;

export function LogStreamCard({ logging }: { logging: System['logging'] }) {
  const level = useSignal(String(logging.level));
  const set = useAction(() =>
    gateway.call(setLogStream, { body: { enabled: !logging.enabled, level: Number(level.value) } }),
  );
  return (
    <Card title={t('title')}>
      <p class="says">{t('says')}</p>
      {!logging.enabled && (
        <Select
          label={t('level')}
          value={level}
          choices={levels.map((name) => ({ value: String(streamLevels[name]), label: t(name) }))}
        />
      )}
      <Switch label={t('send')} isOn={logging.enabled} isDisabled={set.isBusy} onChange={() => void set.run()} />
      {set.problem !== undefined && <Failed problem={set.problem} />}
    </Card>
  );
}
