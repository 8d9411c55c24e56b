import { type Signal, useSignal } from '@preact/signals';
import { dataScopes } from '#contract/access.ts';
import { createClient } from '#contract/client.ts';
import { type AuthorizationRequest, completeAuthorization, getAuthorizationRequest } from '#contract/cloud/oauth.ts';
import type { Organization } from '#contract/cloud/organizations.ts';
import { ActionButton, useAction } from '../parts/action.tsx';
import { Appearance } from '../parts/appearance.tsx';
import { included } from '../parts/bound-value.ts';
import { Card, Loading, Notice, PageHead } from '../parts/layout.tsx';
import { Loaded, useLoad } from '../parts/load.tsx';
import { texts } from '../parts/text.ts';
import { api, session, signOut } from '../platform/session.ts';
import { BrowserKeyCard, KeyFileForm } from '../platform/sign-in/key-sign-in.tsx';
import { allOrganizations } from '../platform/site.ts';
import { scopeWords } from './scope-words.ts';

const t = texts({
  title: '{name} wants to access your account',
  from: 'Registered by {organization}. You will be redirected to {host}.',
  ofPlatform: 'Registered by the operator of this platform. You will be redirected to {host}.',
  signIn: 'Sign in with your key file',
  permissions: 'Requested permissions',
  where: 'For these organizations',
  none: 'You are not a member of any organization yet, so there is nothing to allow.',
  choose: 'Select at least one organization, or deny access.',
  signedIn: 'Signed in as {name}.',
  other: 'Sign in as someone else',
  allow: 'Allow',
  refuse: 'Deny',
  later: 'You can withdraw access at any time under Applications.',
});

const request = new URLSearchParams(location.search).get('request') ?? '';
const anyone = createClient({ baseUrl: location.origin });

/** Shows which application asks for access. The person signs in and decides. */
export function AuthorizePage() {
  const loaded = useLoad((signal) => anyone.call(getAuthorizationRequest, { query: { request }, signal }), []);
  return (
    <main class="authorize">
      <p class="brand">
        <img src="/icon.svg" alt="" width="28" height="28" />
        Ohmstead
      </p>
      <Loaded from={loaded}>
        {(asked) => (
          <>
            <PageHead title={t('title', { name: asked.client.name })} says={originOf(asked)} />
            <Answer asked={asked} />
          </>
        )}
      </Loaded>
      <Appearance />
    </main>
  );
}

const originOf = ({ client: { organization }, redirect_host: host }: AuthorizationRequest): string =>
  organization === null ? t('ofPlatform', { host }) : t('from', { organization, host });

function Answer({ asked }: { asked: AuthorizationRequest }) {
  const current = session.value;
  if (current.state === 'opening') return <Loading />;
  if (current.state === 'in') return <Decision asked={asked} />;
  return (
    <>
      {current.keeper && <BrowserKeyCard keeper={current.keeper} problem={current.problem} />}
      <Card title={t('signIn')}>
        <KeyFileForm />
      </Card>
    </>
  );
}

function Decision({ asked }: { asked: AuthorizationRequest }) {
  const organizations = useLoad(allOrganizations, []);
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
    <Card title={t('permissions')}>
      <ul>
        {asked.scopes.map((scope) => (
          <li key={scope}>{scopeWords(scope)}</li>
        ))}
      </ul>
      {needsOrganization && (
        <Loaded from={organizations}>{(list) => <OrganizationChoices list={list} chosen={chosen} />}</Loaded>
      )}
      <p class="says">
        {t('signedIn', { name: name ?? api().identityId })} {t('later')}
      </p>
      {!isReady && organizations.value !== undefined && (
        <Notice>{organizations.value.length === 0 ? t('none') : t('choose')}</Notice>
      )}
      <div class="actions">
        <ActionButton does={allow} isDisabled={!isReady} label={t('allow')} />
        <ActionButton does={refuse} tone="plain" label={t('refuse')} />
        <ActionButton does={leave} tone="plain" label={t('other')} />
      </div>
    </Card>
  );
}

type ChoicesProps = { list: readonly Organization[]; chosen: Signal<readonly string[]> };

/** Lists the organizations; none is selected at first. */
const OrganizationChoices = ({ list, chosen }: ChoicesProps) => (
  <fieldset>
    <legend>{t('where')}</legend>
    {list.map(({ id, name }) => {
      const isChosen = included(chosen, id);
      return (
        <label key={id} class="choice">
          <input
            type="checkbox"
            checked={isChosen.value}
            onChange={(event) => (isChosen.value = event.currentTarget.checked)}
          />
          <span>{name}</span>
        </label>
      );
    })}
  </fieldset>
);
