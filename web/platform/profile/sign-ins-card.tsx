import { endSignIn, listSignIns, type SignIn } from '#contract/cloud/identity.ts';
import { ConfirmButton } from '../../parts/action.tsx';
import { Card } from '../../parts/layout.tsx';
import { LoadedTable, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { ago, dateAndTime, texts } from '../../parts/text.ts';
import { api, signOut, signOutEverywhere } from '../session.ts';

const t = texts({
  title: 'Where you are signed in',
  says: 'Browsers, scripts and the command line that can act for you now. Each describes itself.',
  program: 'Browser or program',
  here: 'this one',
  since: 'Signed in',
  used: 'Last used',
  end: 'Sign out',
  endOf: 'Sign out: {program}',
  endSays: 'It loses access within seconds. If it has your key, it can sign in again.',
  all: 'Sign out everywhere',
  allSays:
    'This signs out every browser and program, this browser included, and ends their live connections within seconds. Anyone with your key can sign in again. Connected applications keep their access.',
});

export function SignInsCard() {
  const loaded = useLoad((signal) => Array.fromAsync(api().pages(listSignIns, { signal })), []);
  const end = async ({ id, is_current }: SignIn): Promise<void> => {
    if (is_current) return signOut({ forgetting: false });
    await api().call(endSignIn, { params: { sign_in_id: id } });
    loaded.again();
  };
  return (
    <Card title={t('title')} says={t('says')}>
      <LoadedTable
        caption={t('title')}
        from={loaded}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('program'),
            show: ({ description, is_current }) => (
              <span>
                {description} {is_current && <span class="tag">{t('here')}</span>}
              </span>
            ),
          },
          { title: t('since'), show: ({ created_at }) => dateAndTime(Date.parse(created_at)) },
          {
            title: t('used'),
            show: ({ used_at, is_current }) => ago(is_current ? now.value : Date.parse(used_at), now.value),
          },
          {
            title: t('actions'),
            isAction: true,
            show: (one) => (
              <ConfirmButton
                tone="quiet"
                label={t('end')}
                ariaLabel={t('endOf', { program: one.description })}
                says={t('endSays')}
                work={() => end(one)}
              />
            ),
          },
        ]}
      />
      <div class="actions">
        <ConfirmButton label={t('all')} says={t('allSays')} work={signOutEverywhere} />
      </div>
    </Card>
  );
}
