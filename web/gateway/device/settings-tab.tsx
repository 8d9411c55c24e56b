import { type Signal, signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { derTypeOf } from '#contract/der.ts';
import { connectionTypes, type Parameter } from '#contract/gateway/connections.ts';
import {
  type DerChange,
  type DerEntry,
  derSettings,
  removeDevice,
  setDerFlags,
  setDers,
} from '#contract/gateway/devices.ts';
import { ActionForm, ActionSwitch, ConfirmButton, useAction } from '../../parts/action.tsx';
import { derWords } from '../../parts/der-words.ts';
import { DecimalField } from '../../parts/field.tsx';
import { Card, type Fact, Facts, Notice } from '../../parts/layout.tsx';
import { go } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import type { DeviceWithReadings } from '../devices.ts';
import { gateway } from '../gateway-api.ts';
import { connectionWords, parameterWords, valueWords } from '../parameter-words.ts';

const t = texts({
  says: 'Values that are switched off are still read and shown here, but not sent.',
  removeDevice: 'Remove device',
  removeSays: 'The gateway stops reading the device and deletes its connection settings. Data on the platform is kept.',
  sure: 'Remove {sn}?',
  file: 'Stored in',
  ratings: 'Ratings',
  ratingsSay: 'Limits for control commands. Values that the device reports are filled in.',
  rated_power: '{der}: rated power (W)',
  installed_power: '{der}: installed power (W)',
  capacity: '{der}: capacity (Wh)',
  save: 'Save',
  saved: 'Saved.',
});

export function SettingsTab({ device }: { device: DeviceWithReadings }) {
  return (
    <div class="cards">
      <Card title={t('sentToPlatform')} says={t('says')}>
        {device.ders.map((der) => (
          <SentSwitch key={der.type} sn={device.sn} der={der} />
        ))}
      </Card>
      <RatingsForm key={device.sn} sn={device.sn} ders={device.ders} />
      <ConnectionCard device={device} />
      <RemoveCard sn={device.sn} />
    </div>
  );
}

function SentSwitch({ sn, der: { type, enabled } }: { sn: string; der: DerEntry }) {
  const set = useAction(() =>
    gateway.call(setDerFlags, { params: { sn }, body: { ders: [{ type, enabled: !enabled }] } }),
  );
  return <ActionSwitch label={derWords(derTypeOf(type))} isOn={enabled} does={set} />;
}

function RemoveCard({ sn }: { sn: string }) {
  const remove = async (): Promise<void> => {
    await gateway.call(removeDevice, { params: { sn } });
    go('/app/devices');
  };
  return (
    <Card title={t('removeDevice')} says={t('removeSays')}>
      <ConfirmButton
        label={t('removeDevice')}
        title={t('sure', { sn })}
        submit={t('remove')}
        work={remove}
        says={t('removeSays')}
      />
    </Card>
  );
}

/** Shows how the device is connected; the gateway does not return keys and passwords. */
function ConnectionCard({ device }: { device: DeviceWithReadings }) {
  const parameters: readonly Parameter[] = connectionTypes[device.type].parameters;
  const facts = parameters.flatMap(({ name }): Fact[] => {
    const value = device[name];
    const isShown = typeof value === 'string' || typeof value === 'number';
    return isShown ? [[parameterWords(name).label, valueWords(name, value)]] : [];
  });
  return (
    <Card title={t('connection')}>
      <Facts of={[[t('type'), connectionWords(device.type)], ...facts, [t('file'), device.path]]} />
    </Card>
  );
}

type Setting = 'rated_power' | 'installed_power' | 'capacity';
type Row = { type: DerEntry['type']; setting: Setting; text: Signal<string> };

const rowsOf = (ders: readonly DerEntry[]): Row[] =>
  ders.flatMap((der) =>
    derSettings[der.type].map((setting) => ({ type: der.type, setting, text: signal(String(der[setting] ?? '')) })),
  );

/** Returns one change for each DER, with the fields that are filled in. */
function changesOf(rows: readonly Row[]): DerChange[] {
  const filled = rows.filter(({ text }) => text.value !== '');
  return Array.from(
    Map.groupBy(filled, ({ type }) => type),
    ([type, ofDer]) => ({
      type,
      ...Object.fromEntries(ofDer.map(({ setting, text }) => [setting, Number(text.value)])),
    }),
  );
}

/** Edits rated powers and capacities. Polling does not overwrite typed values, and a known value cannot be removed. */
function RatingsForm({ sn, ders }: { sn: string; ders: readonly DerEntry[] }) {
  const rows = useMemo(() => rowsOf(ders), [ders.map(({ type }) => type).join()]);
  const save = useAction(() => gateway.call(setDers, { params: { sn }, body: { ders: changesOf(rows) } }));
  if (rows.length === 0) return null;
  return (
    <Card title={t('ratings')} says={t('ratingsSay')}>
      <ActionForm does={save} submit={t('save')}>
        {rows.map(({ type, setting, text }) => (
          <DecimalField
            key={`${type} ${setting}`}
            label={t(setting, { der: derWords(derTypeOf(type)) })}
            min={0}
            max={1e9}
            required={ders.some((der) => der.type === type && der[setting] !== undefined)}
            value={text}
          />
        ))}
        {save.result && <Notice tone="good">{t('saved')}</Notice>}
      </ActionForm>
    </Card>
  );
}
