import { useSignal } from '@preact/signals';
import { factoryReset, getSystem, reboot, type System, setLogStream, streamLevels } from '#contract/gateway/system.ts';
import { ActionSwitch, ConfirmButton, useAction } from '../../parts/action.tsx';
import { Appearance } from '../../parts/appearance.tsx';
import { choicesOf, Select } from '../../parts/field.tsx';
import { Card, Facts, Notice, PageHead } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/load.tsx';
import { levelWords } from '../../parts/log-line.ts';
import { bytes, dateAndTime, number, percent, texts } from '../../parts/text.ts';
import { clockDifferenceMs, gateway } from '../gateway-api.ts';
import { usePoll } from '../poll.ts';
import { watchRestart } from '../restart.tsx';

const t = texts({
  look: 'Appearance',
  more: 'For developers',
  moreSays: 'Everything on these pages uses the local API.',
  docs: 'Try the API',
  metrics: 'Prometheus metrics',
  version: 'Version',
  uptime: 'Uptime',
  time: 'Clock',
  wrong:
    'The clock of the gateway differs from that of this device by {span}. Measurements have the time of the gateway.',
  memory: 'Memory',
  memorySays: '{used} of {total} used ({percent})',
  least: 'Lowest free memory',
  temperature: 'Temperature',
  unknown: 'not measured',
  load: 'Load (1, 5, 15 min)',
  storage: 'Disk size',
  speed: 'Processor clock',
  s: '{count} s',
  min: '{count} min',
  h: '{count} h',
  d: '{count} days',
  restartAndReset: 'Restart and reset',
  resetHelp: 'Restart the gateway if it behaves unexpectedly. Reset it before you give it to someone else.',
  restart: 'Restart',
  restartSure: 'Restart the gateway?',
  restartSays:
    'The gateway restarts in five seconds. Controlled devices return to automatic first, and unsent measurements are kept.',
  reset: 'Factory reset',
  resetSure: 'Reset to factory settings?',
  resetSays:
    'Devices, MQTT brokers, Wi-Fi and unsent measurements are deleted. The key, the serial number and the owner on the platform do not change.',
  resetIt: 'Reset and restart',
  stream: 'Log streaming',
  streamSays: 'For remote support. Streaming stops when the gateway restarts.',
  send: 'Send the log to the platform',
});

const everyMs = 3000;

export default function SystemPage() {
  const system = usePoll((signal) => gateway.call(getSystem, { signal }), [], everyMs);
  return (
    <>
      <PageHead title={t('system')} />
      {/* All at once, so that a late card does not move a button under a finger. */}
      <Loaded from={system}>
        {(state) => (
          <div class="cards">
            <MachineCard system={state} />
            <Card title={t('look')}>
              <Appearance />
            </Card>
            <ResetCard serial={state.gateway_info.deviceId} />
            <LogStreamCard logging={state.logging} />
            <Card title={t('more')} says={t('moreSays')}>
              <div class="actions">
                <a href="/docs">{t('docs')}</a>
                <a href="/redoc">{t('apiReference')}</a>
                <a href="/metrics">{t('metrics')}</a>
              </div>
            </Card>
          </div>
        )}
      </Loaded>
    </>
  );
}

const kibibyte = 1024;
const mebibyte = 2 ** 20;

function MachineCard({ system }: { system: System }) {
  const { gateway_info: info, memory_kb: memory, processes_average: load, temperature_celsius: celsius } = system;
  const difference = Math.abs(clockDifferenceMs());
  const memoryWords = {
    used: bytes(memory.used * kibibyte),
    total: bytes(memory.total * kibibyte),
    percent: percent(memory.percent_used / 100),
  };
  return (
    <Card title={t('gateway')}>
      {difference > 0 && <Notice tone="warning">{t('wrong', { span: duration(difference / 1000) })}</Notice>}
      <Facts
        of={[
          [t('version'), `${info.firmwareVersion} (Node ${info.sdkVersion})`],
          [t('uptime'), duration(system.uptime_seconds)],
          [t('time'), dateAndTime(system.time_utc_sec * 1000)],
          [t('memory'), t('memorySays', memoryWords)],
          [t('least'), bytes(memory.min * kibibyte)],
          [t('temperature'), celsius === undefined ? t('unknown') : `${number(celsius)} °C`],
          [t('load'), [load.last_1min, load.last_5min, load.last_15min].map((each) => number(each, 2)).join(' · ')],
          [t('storage'), info.flashSizeMB && bytes(info.flashSizeMB * mebibyte)],
          [t('speed'), info.cpuFreqMHz && `${number(info.cpuFreqMHz)} MHz`],
        ]}
      />
    </Card>
  );
}

/** Returns a duration in the largest fitting unit. */
function duration(seconds: number): string {
  if (seconds < 120) return t('s', { count: number(seconds) });
  if (seconds < 7200) return t('min', { count: number(seconds / 60) });
  if (seconds < 2 * 86_400) return t('h', { count: number(seconds / 3600) });
  return t('d', { count: number(seconds / 86_400) });
}

function ResetCard({ serial }: { serial: string | undefined }) {
  const restart = async (route: typeof reboot | typeof factoryReset): Promise<void> => {
    await gateway.call(route);
    void watchRestart();
  };
  return (
    <Card title={t('restartAndReset')} says={t('resetHelp')}>
      <div class="actions">
        <ConfirmButton
          label={t('restart')}
          tone="plain"
          title={t('restartSure')}
          work={() => restart(reboot)}
          says={t('restartSays')}
        />
        <ConfirmButton
          label={t('reset')}
          isDisabled={!serial}
          title={t('resetSure')}
          submit={t('resetIt')}
          typed={serial ?? ''}
          work={() => restart(factoryReset)}
          says={t('resetSays')}
        />
      </div>
    </Card>
  );
}

const levels = ['error', 'warn', 'info', 'debug', 'trace'] as const;

function LogStreamCard({ logging }: { logging: System['logging'] }) {
  const level = useSignal(levels.find((name) => streamLevels[name] === logging.level) ?? 'info');
  const set = useAction(() =>
    gateway.call(setLogStream, { body: { enabled: !logging.enabled, level: streamLevels[level.value] } }),
  );
  return (
    <Card title={t('stream')} says={t('streamSays')}>
      {!logging.enabled && <Select label={t('minLevel')} value={level} choices={choicesOf(levels, levelWords)} />}
      <ActionSwitch label={t('send')} isOn={logging.enabled} does={set} />
    </Card>
  );
}
