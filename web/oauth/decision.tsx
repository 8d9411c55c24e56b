import { useSignal } from '@preact/signals';
import { dataScopes } from '#contract/access.ts';
import { type AuthorizationRequest, completeAuthorization } from '#contract/cloud/oauth.ts';
import { listOrganizations, type Organization } from '#contract/cloud/organizations.ts';
import { ActionButton, useAction } from '../parts/action.tsx';
import { Card } from '../parts/card.tsx';
import { gather } from '../parts/gather.ts';
import { Loaded, useLoad } from '../parts/load.tsx';
import { Failed, Notice } from '../parts/notice.tsx';
import { texts } from '../parts/text.ts';
import { api, session, signOut } from '../platform/session.ts';
import { scopeInWords } from './scope-words.ts';

const t = texts({
  en: {
    title: 'What it asks for',
    where: 'In these organizations',
    none: 'You are in no organization yet; there is nothing to allow.',
    choose: 'Choose at least one organization, or refuse.',
    you: 'You are {name}.',
    nameless: 'You are {id}.',
    other: 'Sign in as somebody else',
    allow: 'Allow',
    refuse: 'Refuse',
    later: 'You can withdraw it at any time, under Applications.',
  },
  sv: {
    title: 'Vad den ber om',
    where: 'I de här organisationerna',
    none: 'Du är inte med i någon organisation ännu; det finns inget att tillåta.',
    choose: 'Välj minst en organisation, eller neka.',
    you: 'Du är {name}.',
    nameless: 'Du är {id}.',
    other: 'Logga in som någon annan',
    allow: 'Tillåt',
    refuse: 'Neka',
    later: 'Du kan ta tillbaka det när som helst, under Appar.',
  },
});

type DecisionProps = { request: string; asked: AuthorizationRequest };

export function Decision({ request, asked }: DecisionProps) {
  const organizations = useLoad((signal) => gather(api().pages(listOrganizations, { signal })), []);
  const chosen = useSignal<readonly string[]>([]);
  const needsPlace = asked.scopes.some((scope) => (dataScopes as readonly string[]).includes(scope));
  const isReady = !needsPlace || chosen.value.length > 0;

  const answer = async (allow: boolean): Promise<void> => {
    const body = { request, allow, ...(allow && { org_ids: [...chosen.value] }) };
    const { redirect_to } = await api().call(completeAuthorization, { body });
    location.assign(redirect_to);
  };
  const allow = useAction(() => answer(true));
  const refuse = useAction(() => answer(false));
  const leave = useAction(() => signOut({ forgetting: false }));
  const name = session.value.state === 'in' ? session.value.name : undefined;

  return (
    <Card title={t('title')}>
      <ul>
        {asked.scopes.map((scope) => (
          <li key={scope}>{scopeInWords(scope)}</li>
        ))}
      </ul>
      {needsPlace && <Loaded from={organizations}>{(list) => <Places list={list} chosen={chosen} />}</Loaded>}
      <p class="says">
        {name ? t('you', { name }) : t('nameless', { id: api().identityId })} {t('later')}
      </p>
      {!isReady && organizations.value !== undefined && (
        <Notice>{organizations.value.length === 0 ? t('none') : t('choose')}</Notice>
      )}
      {[allow, refuse, leave].map(
        ({ problem }, index) => problem !== undefined && <Failed key={index} problem={problem} />,
      )}
      <div class="actions">
        <ActionButton does={allow} isDisabled={!isReady}>
          {t('allow')}
        </ActionButton>
        <ActionButton does={refuse} tone="plain">
          {t('refuse')}
        </ActionButton>
        <ActionButton does={leave} tone="plain">
          {t('other')}
        </ActionButton>
      </div>
    </Card>
  );
}

type PlacesProps = { list: readonly Organization[]; chosen: { value: readonly string[] } };

/** None is chosen for them. */
function Places({ list, chosen }: PlacesProps) {
  const choose = (id: string, isOn: boolean): void => {
    const others = chosen.value.filter((other) => other !== id);
    chosen.value = isOn ? [...others, id] : others;
  };
  return (
    <fieldset>
      <legend>{t('where')}</legend>
      {list.map(({ id, name }) => (
        <label key={id} class="choice">
          <input
            type="checkbox"
            checked={chosen.value.includes(id)}
            onChange={(event) => choose(id, event.currentTarget.checked)}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
