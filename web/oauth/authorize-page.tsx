import { createClient } from '#contract/client.ts';
import { type AuthorizationRequest, getAuthorizationRequest } from '#contract/cloud/oauth.ts';
import { Appearance } from '../parts/appearance.tsx';
import { Card } from '../parts/card.tsx';
import { Loaded, useLoad } from '../parts/load.tsx';
import { Loading } from '../parts/notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { texts } from '../parts/text.ts';
import { session } from '../platform/session.ts';
import { BrowserKeyCard } from '../platform/sign-in/browser-key-card.tsx';
import { KeyFileForm } from '../platform/sign-in/key-file-form.tsx';
import { Decision } from './decision.tsx';

const t = texts({
  title: ['{name} wants to access your account', '{name} vill komma åt ditt konto'],
  from: [
    'Registered by {organization}. You will be redirected to {host}.',
    'Registrerad av {organization}. Du skickas vidare till {host}.',
  ],
  ofPlatform: [
    'Registered by the operator of this platform. You will be redirected to {host}.',
    'Registrerad av plattformens driftansvariga. Du skickas vidare till {host}.',
  ],
  signIn: ['Sign in with your key file', 'Logga in med din nyckelfil'],
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
      <Loaded from={loaded}>{(asked) => <Asked asked={asked} />}</Loaded>
      <Appearance />
    </main>
  );
}

function Asked({ asked }: { asked: AuthorizationRequest }) {
  const { client, redirect_host: host } = asked;
  const { name, organization } = client;
  const says = organization === null ? t('ofPlatform', { host }) : t('from', { organization, host });
  return (
    <>
      <PageHead title={t('title', { name })} says={says} />
      <Answer asked={asked} />
    </>
  );
}

function Answer({ asked }: { asked: AuthorizationRequest }) {
  const current = session.value;
  if (current.state === 'opening') return <Loading />;
  if (current.state === 'in') return <Decision request={request} asked={asked} />;
  return (
    <>
      {current.keeper && <BrowserKeyCard keeper={current.keeper} problem={current.problem} />}
      <Card title={t('signIn')}>
        <KeyFileForm />
      </Card>
    </>
  );
}
