import { useSignal } from '@preact/signals';
import { dataScopes } from '#contract/access.ts';
import { type AuthorizationRequest, completeAuthorization } from '#contract/cloud/oauth.ts';
import { listOrganizations, type Organization } from '#contract/cloud/organizations.ts';
import { ActionButton, useAction } from '../parts/action.tsx';
import { Card } from '../parts/card.tsx';
import { gather } from '../parts/gather.ts';
import { Loaded, useLoad } from '../parts/load.tsx';
import { Notice } from '../parts/notice.tsx';
import { texts } from '../parts/text.ts';
import { api, session, signOut } from '../platform/session.ts';
import { scopeWords } from './scope-words.ts';

const t = texts({
  title: ['Requested permissions', 'Begärda behörigheter'],
  where: ['For these organizations', 'För dessa organisationer'],
  none: [
    'You are not a member of any organization yet, so there is nothing to allow.',
    'Du är inte medlem i någon organisation ännu, så det finns inget att tillåta.',
  ],
  choose: ['Select at least one organization, or deny access.', 'Välj minst en organisation eller neka åtkomst.'],
  you: ['Signed in as {name}.', 'Inloggad som {name}.'],
  nameless: ['Signed in as {id}.', 'Inloggad som {id}.'],
  other: ['Sign in as someone else', 'Logga in som någon annan'],
  allow: ['Allow', 'Tillåt'],
  refuse: ['Deny', 'Neka'],
  later: [
    'You can withdraw access at any time under Applications.',
    'Du kan återkalla åtkomsten när som helst under Appar.',
  ],
});

type DecisionProps = { request: string; asked: AuthorizationRequest };

export function Decision({ request, asked }: DecisionProps) {
  const organizations = useLoad((signal) => gather(api().pages(listOrganizations, { signal })), []);
  const chosen = useSignal<readonly string[]>([]);
  const needsOrganization = asked.scopes.some((scope) => dataScopes.some((data) => data === scope));
  const isReady = !needsOrganization || chosen.value.length > 0;

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
          <li key={scope}>{scopeWords(scope)}</li>
        ))}
      </ul>
      {needsOrganization && (
        <Loaded from={organizations}>{(list) => <OrganizationChoices list={list} chosen={chosen} />}</Loaded>
      )}
      <p class="says">
        {name ? t('you', { name }) : t('nameless', { id: api().identityId })} {t('later')}
      </p>
      {!isReady && organizations.value !== undefined && (
        <Notice>{organizations.value.length === 0 ? t('none') : t('choose')}</Notice>
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

type ChoicesProps = { list: readonly Organization[]; chosen: { value: readonly string[] } };

/** Lists the organizations; none is selected at first. */
function OrganizationChoices({ list, chosen }: ChoicesProps) {
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
