import { acceptInvitation, declineInvitation, getInvitation } from '#contract/cloud/invitations.ts';
import { Problem, type ProblemCode } from '#contract/problem.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { dateAndTime } from '../../parts/format.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Failed } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { PageProblem } from '../../parts/problem-words.ts';
import { go, type Params } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { api, session } from '../session.ts';
import { roleWords } from './role-words.ts';
import './organizations.css';

const t = texts({
  title: ['Invitation', 'Inbjudan'],
  to: ['Join {name}', 'Gå med i {name}'],
  says: [
    'Members share the sites, gateways and devices of {name}. Your role decides what you can do.',
    'Medlemmarna delar anläggningar, gateways och enheter i {name}. Din roll avgör vad du kan göra.',
  ],
  role: ['Your role', 'Din roll'],
  until: ['Expires', 'Går ut'],
  you: ['Signed in as', 'Inloggad som'],
  accept: ['Accept', 'Tacka ja'],
  decline: ['Decline', 'Tacka nej'],
  gone: [
    'This invitation has been used, revoked or has expired. Ask for a new link.',
    'Inbjudan har använts, återkallats eller gått ut. Be om en ny länk.',
  ],
  not_found: [
    'Invitation not found. Check that you have the whole link.',
    'Inbjudan hittades inte. Kontrollera att du har hela länken.',
  ],
  conflict: ['You are already a member of this organization.', 'Du är redan medlem i organisationen.'],
});

const explained = ['gone', 'not_found', 'conflict'] as const satisfies ProblemCode[];

/** Replaces common failures by sentences about invitations. */
async function explain<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const code = cause instanceof Problem && explained.find((one) => one === cause.code);
    if (!code) throw cause;
    throw new PageProblem(code, t(code), {}, { cause });
  }
}

export default function InvitationPage({ params: { secret } }: { params: Params }) {
  const params = { secret: secret! };
  const loaded = useLoad((signal) => explain(api().call(getInvitation, { params, signal })), [secret]);
  const accept = useAction(async () => {
    const { org_id } = await explain(api().call(acceptInvitation, { params }));
    go(`/app/organizations/${encodeURIComponent(org_id)}`, { replace: true });
  });
  const decline = useAction(async () => {
    await explain(api().call(declineInvitation, { params }));
    go('/app/sites', { replace: true });
  });
  const name = session.value.state === 'in' ? session.value.name : undefined;
  return (
    <>
      <PageHead title={t('title')} />
      <Loaded from={loaded}>
        {({ organization_name, role, expires_at }) => (
          <Card title={t('to', { name: organization_name })}>
            <p class="says">{t('says', { name: organization_name })}</p>
            <dl class="invitation-facts">
              <dt>{t('role')}</dt>
              <dd>{roleWords(role)}</dd>
              <dt>{t('until')}</dt>
              <dd>{dateAndTime(Date.parse(expires_at))}</dd>
              <dt>{t('you')}</dt>
              <dd>{name ?? <code>{api().identityId}</code>}</dd>
            </dl>
            {[accept, decline].map(
              ({ problem }, index) => problem !== undefined && <Failed key={index} problem={problem} />,
            )}
            <div class="actions">
              <ActionButton does={accept}>{t('accept')}</ActionButton>
              <ActionButton does={decline} tone="plain">
                {t('decline')}
              </ActionButton>
            </div>
          </Card>
        )}
      </Loaded>
    </>
  );
}
