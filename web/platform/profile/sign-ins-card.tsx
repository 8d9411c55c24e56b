import { endSignIn, listSignIns, type SignIn } from '#contract/cloud/identity.ts';
import { Problem } from '#contract/problem.ts';
import { ConfirmButton } from '../../parts/action.tsx';
import { Card } from '../../parts/layout.tsx';
import { LoadedTable, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { ago, dateAndTime, texts } from '../../parts/text.ts';
import { api, signOut, signOutEverywhere } from '../session.ts';

const t = texts({
  title: 'Where you are signed in',
  says: 'Browsers, scripts and the command line that can act for you now. Each describes itself. A browser signs in each time it loads a page.',
  program: 'Browser or program',
  here: 'this one',
  count: '{count} sign-ins',
  since: 'Signed in',
  used: 'Last used',
  end: 'Sign out',
  endOf: 'Sign out: {program}',
  endSays: 'It loses access within seconds. If it has your key, it can sign in again.',
  endManySays:
    'All {count} sign-ins in this row lose access within seconds. Browsers and programs that have your key can sign in again.',
  all: 'Sign out everywhere',
  allSays:
    'This signs out every browser and program, this browser included, and ends their live connections within seconds. Anyone with your key can sign in again. Connected applications keep their access.',
});

/** The sign-ins that describe themselves alike, newest first. */
type Row = { description: string; signIns: SignIn[]; isCurrent: boolean };

async function loadRows(signal: AbortSignal): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for await (const signIn of api().pages(listSignIns, { signal })) {
    const { description, is_current } = signIn;
    const { signIns = [], isCurrent = false } = rows.get(description) ?? {};
    rows.set(description, { description, signIns: [...signIns, signIn], isCurrent: isCurrent || is_current });
  }
  return [...rows.values()];
}

async function endOne({ id }: SignIn): Promise<void> {
  await api()
    .call(endSignIn, { params: { sign_in_id: id } })
    .catch((problem: unknown) => {
      if (!(problem instanceof Problem && problem.code === 'not_found')) throw problem; // it has already ended
    });
}

const lastUseMs = ({ signIns, isCurrent }: Row): number =>
  isCurrent ? now.value : Math.max(...signIns.map(({ used_at }) => Date.parse(used_at)));

export function SignInsCard() {
  const loaded = useLoad(loadRows, []);
  const end = async ({ signIns, isCurrent }: Row): Promise<void> => {
    const ended = await Promise.allSettled(signIns.filter(({ is_current }) => !is_current).map(endOne));
    const failed = ended.find((one) => one.status === 'rejected');
    if (!failed && isCurrent) return signOut({ forgetting: false });
    loaded.again();
    if (failed) throw failed.reason;
  };
  return (
    <Card title={t('title')} says={t('says')}>
      <LoadedTable
        caption={t('title')}
        from={loaded}
        keyOf={({ description }) => description}
        columns={[
          {
            title: t('program'),
            show: ({ description, signIns, isCurrent }) => (
              <span>
                {description} {isCurrent && <span class="tag">{t('here')}</span>}{' '}
                {signIns.length > 1 && <span class="says">{t('count', { count: signIns.length })}</span>}
              </span>
            ),
          },
          { title: t('since'), show: ({ signIns }) => dateAndTime(Date.parse(signIns.at(-1)!.created_at)) },
          { title: t('used'), show: (row) => ago(lastUseMs(row), now.value) },
          {
            title: t('actions'),
            isAction: true,
            show: (row) => (
              <ConfirmButton
                tone="quiet"
                label={t('end')}
                ariaLabel={t('endOf', { program: row.description })}
                says={row.signIns.length > 1 ? t('endManySays', { count: row.signIns.length }) : t('endSays')}
                work={() => end(row)}
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
