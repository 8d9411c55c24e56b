import { can } from '#contract/access.ts';
import { createInvitation } from '#contract/cloud/invitations.ts';
import { listMembers } from '#contract/cloud/organizations.ts';
import { getSite } from '#contract/cloud/sites.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { currentSiteId } from '../site.ts';
import { InvitationLink } from './invitation-link.tsx';
import { personWords } from './person-words.ts';

const t = texts({
  title: 'People in {site}',
  says: 'They see the house, its energy and its costs.',
  invite: 'Invite someone',
  inviteSays: 'The link works once and is valid for seven days. Choose other roles under the organization.',
  manage: 'Members and roles',
});

const maxShown = 20;

/** Shows who has access to the current site, and invites others with one click. */
export function PeopleCard() {
  const site_id = currentSiteId();
  return site_id === undefined ? null : <SitePeople siteId={site_id} />;
}

function SitePeople({ siteId }: { siteId: string }) {
  const loaded = useLoad(
    async (signal) => {
      const { name, org_id } = await api().call(getSite, { params: { site_id: siteId }, signal });
      const members = await Array.fromAsync(api().pages(listMembers, { params: { org_id }, signal }));
      return { name, org_id, members };
    },
    [siteId],
  );
  const invite = useAction(async () => {
    const params = { org_id: loaded.value!.org_id };
    return api().call(createInvitation, { params, body: { role: 'viewer' } });
  });
  if (loaded.problem !== undefined && loaded.value === undefined) return null; // the site was deleted, or access was lost
  return (
    <Loaded from={loaded}>
      {({ name, org_id, members }) => {
        const own = members.find(({ identity_id }) => identity_id === api().identityId);
        return (
          <Card title={t('title', { site: name })} says={t('says')}>
            <ul class="people">
              {members.slice(0, maxShown).map((member) => (
                <li key={member.identity_id}>
                  {personWords(member.name, member.identity_id)} {member === own && <span class="tag">{t('you')}</span>}
                </li>
              ))}
            </ul>
            {invite.result && <InvitationLink invitation={invite.result} />}
            {own && can(own.role, 'manage') && (
              <>
                <p class="says">{t('inviteSays')}</p>
                <div class="actions">
                  <ActionButton does={invite} label={t('invite')} />
                  <Link class="button plain" to={`/app/organizations/${encodeURIComponent(org_id)}`}>
                    {t('manage')}
                  </Link>
                </div>
              </>
            )}
          </Card>
        );
      }}
    </Loaded>
  );
}
