import { type Signal, signal } from '@preact/signals';
import { createClient } from '#contract/client.ts';
import { revokeToken } from '#contract/cloud/identity.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { dateAndTime } from '../../parts/format.ts';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { anotherToken } from '../session.ts';

const t = texts({
  en: {
    title: 'Tokens for your scripts',
    says: 'A token speaks for you until it is over. It is shown here while this page is open, and nowhere again; ending it works at once.',
    make: 'Make a token',
    until: 'until {time}',
    end: 'End it',
    ended: 'ended',
  },
  sv: {
    title: 'Nycklar för dina skript',
    says: 'En token talar för dig tills den tar slut. Den visas här så länge sidan är öppen och aldrig igen; att avsluta den verkar genast.',
    make: 'Skapa en token',
    until: 'till {time}',
    end: 'Avsluta den',
    ended: 'avslutad',
  },
});

type Made = { token: string; expiresAt: string; isEnded: Signal<boolean> };

const made = signal<readonly Made[]>([]);

/** A token made here lives as long as one of a sign-in, and is another: ending it leaves the page signed in. */
export function Tokens() {
  const make = useAction(async () => {
    const { token, expiresAt } = await anotherToken();
    made.value = [{ token, expiresAt, isEnded: signal(false) }, ...made.value];
  });
  return (
    <Card title={t('title')}>
      <p class="says">{t('says')}</p>
      {make.problem !== undefined && <Failed problem={make.problem} />}
      <div class="actions">
        <ActionButton does={make}>{t('make')}</ActionButton>
      </div>
      {made.value.map((each) => (
        <Token key={each.token} {...each} />
      ))}
    </Card>
  );
}

function Token({ token, expiresAt, isEnded }: Made) {
  const end = useAction(async () => {
    await createClient({ baseUrl: location.origin, token }).call(revokeToken);
    isEnded.value = true;
  });
  return (
    <div class="token">
      <code>{token}</code>
      <span class="says">{isEnded.value ? t('ended') : t('until', { time: dateAndTime(Date.parse(expiresAt)) })}</span>
      {!isEnded.value && (
        <div class="actions">
          <CopyButton text={token} />
          <ActionButton does={end} tone="danger">
            {t('end')}
          </ActionButton>
        </div>
      )}
      {end.problem !== undefined && <Failed problem={end.problem} />}
    </div>
  );
}
