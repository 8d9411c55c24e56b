import { useSignal } from '@preact/signals';
import { boundValue } from '../../parts/bound-value.ts';
import { Select } from '../../parts/field.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { allSites, currentSite } from '../site.ts';
import { EventViewer } from './event-viewer.tsx';
import { Reference } from './reference.tsx';
import { Snippets } from './snippets.tsx';
import './developer.css';
import { createClient } from '#contract/client.ts';
import { revokeToken } from '#contract/cloud/identity.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { dateAndTime } from '../../parts/format.ts';
import { Failed } from '../../parts/notice.tsx';
import { now } from '../../parts/now.ts';
import { forgetToken, goodTokens, type MadeToken, rememberToken } from '../made-tokens.ts';
import { anotherToken, api } from '../session.ts';

const t = texts({
  en: {
    title: 'Developer',
    says: 'The same interface that these pages use, with your own ids filled in.',
    site: 'Site',
    titleToken: 'Tokens for your scripts',
    saysToken:
      'A token speaks for you until it is over. It stays in this list until you end it, sign out or close the tab; after that nobody can show it again. Ending it works at once.',
    make: 'Make a token',
    until: 'until {time}',
    end: 'End it',
  },
  sv: {
    title: 'Utvecklare',
    says: 'Samma gränssnitt som sidorna använder, med dina egna id ifyllda.',
    site: 'Anläggning',
    titleToken: 'Token för dina skript',
    saysToken:
      'En token talar för dig tills den tar slut. Den står kvar i listan tills du avslutar den, loggar ut eller stänger fliken; sedan kan ingen visa den igen. Att avsluta den verkar genast.',
    make: 'Skapa en token',
    until: 'till {time}',
    end: 'Avsluta den',
  },
});

export default function DeveloperPage() {
  const sites = useLoad(allSites, []);
  const chosen = useSignal(currentSite() ?? '');
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
                    (id) => {
                      chosen.value = id;
                    },
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

/** A token made here lives as long as one of a sign-in, and is another: ending it leaves the page signed in. */
function Tokens() {
  const { identityId } = api();
  const make = useAction(async () => {
    rememberToken({ ...(await anotherToken()), identityId });
  });
  return (
    <Card title={t('titleToken')}>
      <p class="says">{t('saysToken')}</p>
      {make.problem !== undefined && <Failed problem={make.problem} />}
      <div class="actions">
        <ActionButton does={make}>{t('make')}</ActionButton>
      </div>
      {goodTokens(identityId, now.value).map((each) => (
        <Token key={each.token} made={each} />
      ))}
    </Card>
  );
}

function Token({ made }: { made: MadeToken }) {
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
          {t('end')}
        </ActionButton>
      </div>
      {end.problem !== undefined && <Failed problem={end.problem} />}
    </div>
  );
}
