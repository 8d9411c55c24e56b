import type { NewInvitation } from '#contract/cloud/invitations.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Notice } from '../../parts/layout.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import { texts } from '../../parts/text.ts';
import { roleWords } from './role-words.ts';
import './organizations.css';

const t = texts({
  ready: 'Let the person you invite scan this code, or send them the link. It is not shown again.',
  code: 'Invitation as a QR code',
  copy: 'Copy link',
});

/** Shows a new invitation as a QR code and as a link. */
export const InvitationLink = ({ invitation: { url, role } }: { invitation: NewInvitation }) => (
  <Notice tone="good">
    <p>{t('ready')}</p>
    <QrCode text={url} label={t('code')} />
    <p class="link">
      <code>{url}</code>
    </p>
    <p>{roleWords(role)}.</p>
    <CopyButton text={url} label={t('copy')} />
  </Notice>
);
