import { createHmac } from 'node:crypto';
import type { AlertRule } from '#contract/cloud/alerts.ts';
import { formatTime } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import type { CloudConfig } from '../config.ts';
import type { AlertChannelRow } from '../store/schema.ts';
import { ensureSetting, readSetting } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import type { Message } from './message.ts';
import { DeliveryError, post } from './post.ts';

/** A message to a channel. Its id stays the same when it is sent again. */
export type Outgoing = Message & {
  id: string;
  channel: Pick<AlertChannelRow, 'kind' | 'target' | 'secret'>;
  /** of an alert; a test has none */
  alert?: { id: string; rule: AlertRule; site_id: string; at: number; state: 'alert' | 'clear'; isUrgent: boolean };
};

export type AlertSettings = Pick<CloudConfig, 'SMTP_URL' | 'SMTP_FROM' | 'NTFY_URL' | 'ALERTS_PRIVATE_NETWORKS'>;

export type SendDeps = { settings: AlertSettings; store: Store; clock: Clock; baseUrl(): string };

export type Send = ReturnType<typeof createSend>;

const mailTimeoutMs = 10_000;
const pushLifeS = 12 * 3600; // how long a push service keeps a message for a phone that is off
const vapidSetting = 'vapid_keys';

/** Creates what sends messages. Packages are loaded for the first message of their kind. */
export function createSend({ settings, store, clock, baseUrl }: SendDeps) {
  const { SMTP_URL: smtpUrl, SMTP_FROM: from = '', ALERTS_PRIVATE_NETWORKS: mayBePrivate } = settings;
  const ntfyServer = settings.NTFY_URL?.replace(/\/+$/, '');

  /** Returns the keys by which push services know this platform, creating them at first use. */
  async function vapidKeys(): Promise<{ publicKey: string; privateKey: string }> {
    const known = await readSetting(store.db, vapidSetting);
    if (known !== undefined) return JSON.parse(known);
    const { default: webPush } = await import('web-push');
    return JSON.parse(await ensureSetting(store, vapidSetting, () => JSON.stringify(webPush.generateVAPIDKeys())));
  }

  const pageOf = ({ alert }: Outgoing): string => (alert ? `/app/sites/${alert.site_id}/alerts` : '/app');
  const linkOf = (message: Outgoing): string => `${baseUrl()}${pageOf(message)}`;

  async function push(message: Outgoing): Promise<void> {
    const { channel, alert, title, body } = message;
    const { default: webPush } = await import('web-push');
    const tag = alert ? `${alert.site_id}-${alert.rule}` : 'test';
    const payload = JSON.stringify({ title, body, url: pageOf(message), tag });
    const subject = baseUrl().startsWith('https://')
      ? baseUrl()
      : `mailto:${addressIn(from) || 'operator@ohmstead.invalid'}`;
    const subscription = { endpoint: channel.target, keys: JSON.parse(channel.secret ?? '{}') };
    const request = webPush.generateRequestDetails(subscription, payload, {
      vapidDetails: { subject, ...(await vapidKeys()) },
      TTL: pushLifeS,
      urgency: alert?.isUrgent ? 'high' : 'normal',
    });
    await post({ url: channel.target, headers: request.headers, body: request.body, mayBePrivate });
  }

  async function email(message: Outgoing): Promise<void> {
    const { id, channel, alert, title, body } = message;
    if (!smtpUrl) throw new DeliveryError('The operator of this platform has not set up e-mail.');
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      url: smtpUrl,
      connectionTimeout: mailTimeoutMs,
      greetingTimeout: mailTimeoutMs,
      socketTimeout: mailTimeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      await transport.sendMail({
        from,
        to: channel.target,
        subject: title,
        text: [body, ...(alert ? [linkOf(message)] : [])].filter(Boolean).join('\n\n'),
        messageId: `<${id}@${addressIn(from).split('@').at(-1) || 'ohmstead.invalid'}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (cause) {
      throw new DeliveryError('The mail server did not accept the message.', { cause });
    } finally {
      transport.close();
    }
  }

  async function webhook(message: Outgoing): Promise<void> {
    const { id, channel, alert, title, body } = message;
    const { isUrgent, at, ...about } = alert ?? { isUrgent: false, at: clock.now(), state: 'test' };
    const text = JSON.stringify({ delivery: id, ...about, at: formatTime(at), title, body, url: linkOf(message) });
    const seconds = Math.floor(clock.now() / 1000);
    const signature = createHmac('sha256', channel.secret ?? '')
      .update(`${seconds}.${text}`)
      .digest('hex');
    const headers = {
      'content-type': 'application/json',
      'ohmstead-delivery': id,
      'ohmstead-signature': `t=${seconds},v1=${signature}`,
    };
    await post({ url: channel.target, headers, body: text, mayBePrivate });
  }

  /** Publishes to a topic as JSON, which takes any character in a title. */
  async function ntfy(message: Outgoing): Promise<void> {
    const { channel, alert, title, body } = message;
    const isOwn = !channel.target.includes('/');
    if (isOwn && !ntfyServer) throw new DeliveryError('The operator of this platform has removed NTFY_URL.');
    const slash = channel.target.lastIndexOf('/');
    const text = JSON.stringify({
      topic: channel.target.slice(slash + 1),
      title,
      message: body || title,
      click: linkOf(message),
      priority: alert?.isUrgent ? 4 : 3,
    });
    await post({
      url: isOwn ? `${ntfyServer}/` : channel.target.slice(0, slash + 1),
      headers: {
        'content-type': 'application/json',
        ...(channel.secret && { authorization: `Bearer ${channel.secret}` }),
      },
      body: text,
      mayBePrivate: isOwn || mayBePrivate,
    });
  }

  const senders = { push, email, webhook, ntfy };
  return {
    canEmail: smtpUrl !== undefined,
    ntfyServer,
    mayBePrivate,
    vapidKeys,
    /** Delivers a message, or throws a DeliveryError. */
    send: (message: Outgoing): Promise<void> => senders[message.channel.kind](message),
  };
}

/** Returns the address in a sender such as `Ohmstead <alerts@example.org>`. */
const addressIn = (sender: string): string => /<([^<>]+)>/.exec(sender)?.[1] ?? sender.trim();
