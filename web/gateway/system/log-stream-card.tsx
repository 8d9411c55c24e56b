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
    title: 'Log streaming',
    says: 'For remote support. Streaming stops when the gateway restarts.',
    send: 'Send the log to the platform',
    level: 'Level',
    error: 'Errors',
    warn: 'Warnings and errors',
    info: 'Info',
    debug: 'Debug',
    trace: 'Trace',
  },
  sv: {
    title: 'Loggströmning',
    says: 'För fjärrsupport. Strömningen upphör när gatewayen startar om.',
    send: 'Skicka loggen till plattformen',
    level: 'Nivå',
    error: 'Fel',
    warn: 'Varningar och fel',
    info: 'Information',
    debug: 'Felsökning',
    trace: 'Spårning',
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
