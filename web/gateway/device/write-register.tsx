import { useSignal } from '@preact/signals';
import { writeRegister } from '#contract/gateway/registers.ts';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';

const t = texts({
  en: {
    title: 'Write a register',
    warning:
      'A wrong value can change protection settings, wear out the memory of the device or stop it. Write only what the documentation of the vendor says.',
    address: 'Address of the holding register',
    value: 'Value',
    valueSays: 'From -32768 to 65535, or hex such as 0x00AA.',
    write: 'Write',
    sure: 'Write {value} to register {address} of {sn}?',
    once: 'The value is written once; the gateway does not take it back.',
    written: '{value} was written to {address}.',
  },
  sv: {
    title: 'Skriv ett register',
    warning:
      'Ett felaktigt värde kan ändra skyddsinställningar, slita på enhetens minne eller stoppa den. Skriv bara det som står i tillverkarens dokumentation.',
    address: 'Holding-registrets adress',
    value: 'Värde',
    valueSays: 'Från -32768 till 65535, eller hexadecimalt som 0x00AA.',
    write: 'Skriv',
    sure: 'Skriva {value} till register {address} i {sn}?',
    once: 'Värdet skrivs en gång; gatewayen tar inte tillbaka det.',
    written: '{value} skrevs till {address}.',
  },
});

export function WriteRegister({ sn }: { sn: string }) {
  const address = useSignal('');
  const value = useSignal('');
  const isAsking = useSignal(false);
  const written = useSignal('');
  const words = { address: address.value, value: value.value, sn };
  const write = async (): Promise<void> => {
    const params = { sn, address: Number(address.value) };
    await gateway.call(writeRegister, { params, body: { value: Number(value.value) } });
    written.value = t('written', words);
  };
  return (
    <Card title={t('title')}>
      <Notice tone="warning">{t('warning')}</Notice>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          written.value = '';
          isAsking.value = true;
        }}
      >
        <Field label={t('address')} type="number" min={0} max={65_535} required value={address} />
        <Field
          label={t('value')}
          says={t('valueSays')}
          pattern="-?\d{1,5}|0[xX][0-9a-fA-F]{1,4}"
          required
          value={value}
        />
        <div class="actions">
          <button type="submit">{t('write')}</button>
        </div>
      </form>
      {written.value && <Notice tone="good">{written.value}</Notice>}
      {isAsking.value && (
        <Confirm
          title={t('sure', words)}
          submit={t('write')}
          work={write}
          onClose={() => {
            isAsking.value = false;
          }}
        >
          <p>{t('once')}</p>
        </Confirm>
      )}
    </Card>
  );
}
