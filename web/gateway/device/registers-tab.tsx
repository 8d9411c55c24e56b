import { useSignal } from '@preact/signals';
import { readRegister, registerTypes, writeRegister } from '#contract/gateway/registers.ts';
import { ActionForm, Confirm, useAction } from '../../parts/action.tsx';
import { Code } from '../../parts/copy.tsx';
import { choicesOf, Field, Select } from '../../parts/field.tsx';
import { Card, Notice } from '../../parts/layout.tsx';
import { texts } from '../../parts/text.ts';
import type { DeviceWithReadings } from '../devices.ts';
import { gateway } from '../gateway-api.ts';

export const RegistersTab = ({ device: { sn } }: { device: DeviceWithReadings }) => (
  <div class="cards">
    <ReadRegister key={sn} sn={sn} />
    <WriteRegister key={`${sn} w`} sn={sn} />
  </div>
);

const t = texts({
  title: 'Read registers',
  addressSays: 'As sent on the wire, starting at 0. Many manufacturers document a number that is one higher.',
  table: 'Table',
  input: 'Input registers (function 4)',
  holding: 'Holding registers (function 3)',
  type: 'Data type',
  list: 'Words in hexadecimal',
  size: 'Number of registers',
  order: 'Word order',
  little: 'Low word first',
  big: 'High word first',
  read: 'Read',
  result: 'Read from {address}',
  writeTitle: 'Write a register',
  warning:
    'A wrong value can change protection settings, wear out the memory of the device or stop it. Only write values that the manufacturer documents.',
  holdingAddress: 'Holding register address',
  value: 'Value',
  valueSays: 'From -32768 to 65535, or hexadecimal such as 0x00AA.',
  write: 'Write',
  sure: 'Write {value} to register {address} of {sn}?',
  once: 'The value is written once. The gateway does not restore the old value.',
  written: '{value} was written to {address}.',
});

const tables = ['input', 'holding'] as const;
const types = [...registerTypes, 'list'] as const;
const orders = ['little', 'big'] as const;

function ReadRegister({ sn }: { sn: string }) {
  const address = useSignal('0');
  const table = useSignal<(typeof tables)[number]>('input');
  const type = useSignal<(typeof types)[number]>('u16');
  const size = useSignal('8');
  const order = useSignal<(typeof orders)[number]>('little');
  const needsSize = type.value === 'list' || type.value === 'str';
  const { result, ...read } = useAction(() =>
    gateway.call(readRegister, {
      params: { sn, address: Number(address.value) },
      query: {
        ...(type.value !== 'list' && { type: type.value, endianness: order.value }),
        ...(needsSize && { size: Number(size.value) }),
        function_code: table.value === 'input' ? 4 : 3,
      },
    }),
  );
  return (
    <Card title={t('title')}>
      <ActionForm does={read} submit={t('read')}>
        <Field {...t.field('address')} type="number" min={0} max={65_535} required value={address} />
        <Select label={t('table')} value={table} choices={choicesOf(tables, t)} />
        <Select label={t('type')} value={type} choices={choicesOf(types, t.orName)} />
        {needsSize ? (
          <Field label={t('size')} type="number" min={1} max={125} required value={size} />
        ) : (
          <Select label={t('order')} value={order} choices={choicesOf(orders, t)} />
        )}
      </ActionForm>
      {result && (
        <div role="status">
          <h3>{t('result', { address: result.address })}</h3>
          <Code>{'values' in result ? result.values.join(' ') : String(result.value)}</Code>
        </div>
      )}
    </Card>
  );
}

function WriteRegister({ sn }: { sn: string }) {
  const address = useSignal('');
  const value = useSignal('');
  const isAsking = useSignal(false);
  const written = useSignal('');
  const words = { address: address.value, value: value.value, sn };
  const ask = useAction(async () => {
    written.value = '';
    isAsking.value = true;
  });
  const write = async (): Promise<void> => {
    const params = { sn, address: Number(address.value) };
    await gateway.call(writeRegister, { params, body: { value: Number(value.value) } });
    written.value = t('written', words);
  };
  return (
    <Card title={t('writeTitle')}>
      <Notice tone="warning">{t('warning')}</Notice>
      <ActionForm does={ask} submit={t('write')} tone="plain">
        <Field label={t('holdingAddress')} type="number" min={0} max={65_535} required value={address} />
        <Field {...t.field('value')} pattern="-?\d{1,5}|0[xX][0-9a-fA-F]{1,4}" required value={value} />
      </ActionForm>
      {written.value && <Notice tone="good">{written.value}</Notice>}
      {isAsking.value && (
        <Confirm
          title={t('sure', words)}
          submit={t('write')}
          says={t('once')}
          work={write}
          onClose={() => (isAsking.value = false)}
        />
      )}
    </Card>
  );
}
