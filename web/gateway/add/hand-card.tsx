import { useSignal } from '@preact/signals';
import { addDevice, listConnectionTypes } from '#contract/gateway/devices.ts';
import type { RequestOf } from '#contract/route.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Select } from '../../parts/field.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { connectionWords } from '../parameter-words.ts';
import { fieldsOf, type OfferedType, parametersOf } from './form-fields.ts';
import { ParameterField } from './parameter-field.tsx';

const t = texts({
  en: { title: 'Add by hand', how: 'How it is connected', add: 'Add' },
  sv: { title: 'Lägg till för hand', how: 'Hur den är ansluten', add: 'Lägg till' },
});

type AddedProps = { onAdded(sn: string): void };

/** The form that the gateway itself describes. */
export function HandCard({ onAdded }: AddedProps) {
  const offered = useLoad((signal) => gateway.call(listConnectionTypes, { signal }), []);
  return (
    <Card title={t('title')} class="wide">
      <Loaded from={offered}>
        {({ connection_types }) => <HandForm types={connection_types} onAdded={onAdded} />}
      </Loaded>
    </Card>
  );
}

function HandForm({ types, onAdded }: { types: OfferedType[] } & AddedProps) {
  const chosen = useSignal(types[0]?.type ?? '');
  const typed = useSignal<Record<string, string>>({});
  const offered = types.find(({ type }) => type === chosen.value);
  const fields = offered ? fieldsOf(offered) : [];
  const add = useAction(async () => {
    const body = { type: chosen.value, ...parametersOf(fields, typed.value) };
    const { sn } = await gateway.call(addDevice, { body: body as RequestOf<typeof addDevice>['body'] });
    typed.value = {};
    onAdded(sn);
  });
  return (
    <ActionForm does={add} submit={t('add')}>
      <Select
        label={t('how')}
        value={chosen}
        choices={types.map(({ type, description }) => ({ value: type, label: connectionWords(type, description) }))}
      />
      <div class="hand-fields">
        {fields.map((field) => (
          <ParameterField key={`${chosen.value} ${field.name}`} type={chosen.value} field={field} typed={typed} />
        ))}
      </div>
    </ActionForm>
  );
}
