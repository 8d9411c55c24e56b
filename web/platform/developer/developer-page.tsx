import { useSignal } from '@preact/signals';
import { createClient } from '#contract/client.ts';
import { revokeToken } from '#contract/cloud/identity.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { boundValue } from '../../parts/bound-value.ts';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Select } from '../../parts/field.tsx';
import { dateAndTime } from '../../parts/format.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { type CreatedToken, forgetToken, rememberToken, validTokens } from '../created-tokens.ts';
import { api, createToken } from '../session.ts';
import { allSites, currentSiteId } from '../site.ts';
import { EventViewer } from './event-viewer.tsx';
import { Reference } from './reference.tsx';
import { Snippets } from './snippets.tsx';
import './developer.css';

const t = texts({
  title: ['Developer', 'Utvecklare'],
  says: [
    'Use the same API as these pages. Your IDs are filled in for you.',
    'Använd samma API som de här sidorna. Dina ID:n är redan ifyllda.',
  ],
  site: ['Site', 'Anläggning'],
  tokens: ['API tokens', 'API-token'],
  tokensSays: [
    'A token acts on your behalf until it expires. It is listed here until you revoke it, sign out or close this tab, and cannot be shown again after that.',
    'En token ger åtkomst i ditt namn tills den går ut. Den visas här tills du återkallar den, loggar ut eller stänger fliken, och kan sedan inte visas igen.',
  ],
  create: ['Create token', 'Skapa token'],
  until: ['expires {time}', 'går ut {time}'],
  revoke: ['Revoke', 'Återkalla'],
});

export default function DeveloperPage() {
  const sites = useLoad(allSites, []);
  const chosen = useSignal(currentSiteId() ?? '');
  return (
    <>
      <PageHead title={t('title')} says={t('says')} />
      <Loaded from={sites}>
        {(list) => {
          const site = list.find(({ id }) => id === chosen.value) ?? list[0];
          return (
            <>
              {list.length > 1 && site && (
                <Select
                  label={t('site')}
                  value={boundValue(
                    () => site.id,
                    (id) => (chosen.value = id),
                  )}
                  choices={list.map(({ id, name }) => ({ value: id, label: name }))}
                />
              )}
              <div class="cards">
                <Tokens />
                <Snippets site={site} />
              </div>
              {site && <EventViewer key={site.id} siteId={site.id} />}
              <Reference site={site} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** Tokens are separate from the session, so revoking one does not sign the page out. */
function Tokens() {
  const { identityId } = api();
  const make = useAction(async () => {
    rememberToken({ ...(await createToken()), identityId });
  });
  return (
    <Card title={t('tokens')}>
      <p class="says">{t('tokensSays')}</p>
      <div class="actions">
        <ActionButton does={make}>{t('create')}</ActionButton>
      </div>
      {validTokens(identityId, now.value).map((each) => (
        <Token key={each.token} made={each} />
      ))}
    </Card>
  );
}

function Token({ made }: { made: CreatedToken }) {
  const { token, expiresAt } = made;
  const end = useAction(async () => {
    await createClient({ baseUrl: location.origin, token }).call(revokeToken);
    forgetToken(made);
  });
  return (
    <div class="token">
      <code>{token}</code>
      <span class="says">{t('until', { time: dateAndTime(Date.parse(expiresAt)) })}</span>
      <div class="actions">
        <CopyButton text={token} />
        <ActionButton does={end} tone="danger">
          {t('revoke')}
        </ActionButton>
      </div>
    </div>
  );
}
