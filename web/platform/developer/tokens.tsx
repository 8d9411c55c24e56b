import { createClient } from '#contract/client.ts';
import { revokeToken } from '#contract/cloud/identity.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { dateAndTime } from '../../parts/format.ts';
import { Failed } from '../../parts/notice.tsx';
import { now } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { forgetToken, goodTokens, type MadeToken, rememberToken } from '../made-tokens.ts';
import { anotherToken, api } from '../session.ts';

const t = texts({
  en: {
    title: 'Tokens for your scripts',
    says: 'A token speaks for you until it is over. It stays in this list until you end it, sign out or close the tab; after that nobody can show it again. Ending it works at once.',
    make: 'Make a token',
    until: 'until {time}',
    end: 'End it',
  },
  sv: {
    title: 'Token för dina skript',
    says: 'En token talar för dig tills den tar slut. Den står kvar i listan tills du avslutar den, loggar ut eller stänger fliken; sedan kan ingen visa den igen. Att avsluta den verkar genast.',
    make: 'Skapa en token',
    until: 'till {time}',
    end: 'Avsluta den',
  },
});

/** A token made here lives as long as one of a sign-in, and is another: ending it leaves the page signed in. */
export function Tokens() {
  const { identityId } = api();
  const make = useAction(async () => {
    rememberToken({ ...(await anotherToken()), identityId });
  });
  return (
    <Card title={t('title')}>
      <p class="says">{t('says')}</p>
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
