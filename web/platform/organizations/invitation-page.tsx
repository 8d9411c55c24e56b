import { acceptInvitation, declineInvitation, getInvitation } from '#contract/cloud/invitations.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card, Facts, PageHead } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { go, type Params, paramOf } from '../../parts/router.tsx';
import { dateAndTime, texts } from '../../parts/text.ts';
import { explaining } from '../explain.ts';
import { api, session } from '../session.ts';
import { allSites } from '../site.ts';
import { personWords } from './person-words.ts';
import { roleWords } from './role-words.ts';
import './organizations.css';

const t = texts({
  title: 'Invitation',
  to: 'Join {name}',
  says: 'Members share the sites, gateways and devices of {name}. Your role decides what you can do.',
  role: 'Your role',
  you: 'Signed in as',
  accept: 'Accept',
  decline: 'Decline',
  gone: 'This invitation has been used, revoked or has expired. Ask for a new link.',
  not_found: 'Invitation not found. Check that you have the whole link.',
  conflict: 'You are already a member of this organization.',
});

export default function InvitationPage({ params: given }: { params: Params }) {
  const secret = paramOf(given, 'secret');
  const params = { secret };
  const loaded = useLoad((signal) => explaining(api().call(getInvitation, { params, signal }), t), [secret]);
  const accept = useAction(async () => {
    const { org_id } = await explaining(api().call(acceptInvitation, { params }), t);
    const site = (await allSites(AbortSignal.timeout(5000))).find((each) => each.org_id === org_id);
    const place = site ? `sites/${encodeURIComponent(site.id)}` : `organizations/${encodeURIComponent(org_id)}`;
    go(`/app/${place}`, { replace: true });
  });
  const decline = useAction(async () => {
    await explaining(api().call(declineInvitation, { params }), t);
    go('/app/sites', { replace: true });
  });
  const name = session.value.state === 'in' ? session.value.name : undefined;
  return (
    <>
      <PageHead title={t('title')} />
      <Loaded from={loaded}>
        {({ organization_name, role, expires_at }) => (
          <Card title={t('to', { name: organization_name })} says={t('says', { name: organization_name })}>
            <Facts
              of={[
                [t('role'), roleWords(role)],
                [t('expires'), dateAndTime(Date.parse(expires_at))],
                [t('you'), personWords(name, api().identityId)],
              ]}
            />
            <div class="actions">
              <ActionButton does={accept} label={t('accept')} />
              <ActionButton does={decline} tone="plain" label={t('decline')} />
            </div>
          </Card>
        )}
      </Loaded>
    </>
  );
}
