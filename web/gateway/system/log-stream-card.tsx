import { useSignal } from '@preact/signals';
import { type System, setLogStream, streamLevels } from '#contract/gateway/system.ts';
import { useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Select, Switch } from '../../parts/field.tsx';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';

const t = texts({
  title: ['Log streaming', 'Loggströmning'],
  says: [
    'For remote support. Streaming stops when the gateway restarts.',
    'För fjärrsupport. Strömningen upphör när gatewayen startar om.',
  ],
  send: ['Send the log to the platform', 'Skicka loggen till plattformen'],
  level: ['Level', 'Nivå'],
  error: ['Errors', 'Fel'],
  warn: ['Warnings and errors', 'Varningar och fel'],
  info: ['Info', 'Information'],
  debug: ['Debug', 'Felsökning'],
  trace: ['Trace', 'Spårning'],
});

const levels = ['error', 'warn', 'info', 'debug', 'trace'] as const;

export function LogStreamCard({ logging }: { logging: System['logging'] }) {
  const level = useSignal(String(logging.level));
  const set = useAction(() =>
    gateway.call(setLogStream, { body: { enabled: !logging.enabled, level: Number(level.value) } }),
  );
  return (
    <Card title={t('title')} says={t('says')}>
      {!logging.enabled && (
        <Select
          label={t('level')}
          value={level}
          choices={levels.map((name) => ({ value: String(streamLevels[name]), label: t(name) }))}
        />
      )}
      <Switch label={t('send')} isOn={logging.enabled} isDisabled={set.isBusy} onChange={() => void set.run()} />
      <Failed problem={set.problem} />
    </Card>
  );
}
