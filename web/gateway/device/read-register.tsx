import { useSignal } from '@preact/signals';
import { readRegister, registerTypes } from '#contract/gateway/registers.ts';
import type { ReplyOf } from '#contract/route.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Code } from '../../parts/copy.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';

const t = texts({
  en: {
    title: 'Read registers',
    address: 'Address',
    addressSays: 'As on the wire, from 0. Many vendors document one more.',
    table: 'Table',
    input: 'Input registers (function 4)',
    holding: 'Holding registers (function 3)',
    type: 'As',
    list: 'Words in hex',
    size: 'How many registers',
    order: 'Order of the words',
    little: 'Low word first',
    big: 'High word first',
    read: 'Read',
    result: 'Read from {address}',
  },
  sv: {
    title: 'Läs register',
    address: 'Adress',
    addressSays: 'Som på ledningen, från 0. Många tillverkare anger en högre.',
    table: 'Tabell',
    input: 'Input-register (funktion 4)',
    holding: 'Holding-register (funktion 3)',
    type: 'Som',
    list: 'Ord i hexadecimal form',
    size: 'Antal register',
    order: 'Ordningen på orden',
    little: 'Låga ordet först',
    big: 'Höga ordet först',
    read: 'Läs',
    result: 'Läst från {address}',
  },
});

type Read = ReplyOf<typeof readRegister>;
type ReadQuery = { type?: (typeof registerTypes)[number]; size?: number; endianness?: 'little' | 'big' };

const list = 'list';

export function ReadRegister({ sn }: { sn: string }) {
  const address = useSignal('0');
  const code = useSignal('4');
  const type = useSignal('u16');
  const size = useSignal('8');
  const order = useSignal('little');
  const result = useSignal<Read | undefined>(undefined);
  const needsSize = type.value === list || type.value === 'str';
  const read = useAction(async () => {
    result.value = undefined;
    const known = registerTypes.find((name) => name === type.value);
    const query: ReadQuery = {
      ...(known && { type: known, endianness: order.value === 'big' ? 'big' : 'little' }),
      ...(needsSize && { size: Number(size.value) }),
    };
    result.value = await gateway.call(readRegister, {
      params: { sn, address: Number(address.value) },
      query: { ...query, function_code: Number(code.value) },
    });
  });
  return (
    <Card title={t('title')}>
      <ActionForm does={read} submit={t('read')}>
        <Field
          label={t('address')}
          says={t('addressSays')}
          type="number"
          min={0}
          max={65_535}
          required
          value={address}
        />
        <Select
          label={t('table')}
          value={code}
          choices={[
            { value: '4', label: t('input') },
            { value: '3', label: t('holding') },
          ]}
        />
        <Select
          label={t('type')}
          value={type}
          choices={[...registerTypes.map((name) => ({ value: name, label: name })), { value: list, label: t('list') }]}
        />
        {needsSize ? (
          <Field label={t('size')} type="number" min={1} max={125} required value={size} />
        ) : (
          <Select
            label={t('order')}
            value={order}
            choices={[
              { value: 'little', label: t('little') },
              { value: 'big', label: t('big') },
            ]}
          />
        )}
      </ActionForm>
      {result.value && (
        <div role="status">
          <h3>{t('result', { address: result.value.address })}</h3>
          <Code>{'values' in result.value ? result.value.values.join(' ') : String(result.value.value)}</Code>
        </div>
      )}
    </Card>
  );
}
