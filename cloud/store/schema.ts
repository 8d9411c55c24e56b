import type { IdentityType, Role } from '#contract/access.ts';
import type { AlertLanguage, AlertRule } from '#contract/cloud/alerts.ts';
import type { CommandStatus } from '#contract/cloud/commands.ts';
import type { DeviceState } from '#contract/cloud/devices.ts';
import type { EndReason, OrderEnd } from '#contract/cloud/orders.ts';
import type { MembershipOrigin } from '#contract/cloud/organizations.ts';
import type { DerTypeId, DeviceTypeId } from '#contract/der.ts';
import type { PlanDayRow, PlanGatewayRow, PlanRow, PlanSiteRow } from './plan-rows.ts';

// Times are milliseconds since the epoch and flags are 0 or 1, in both engines.

export type IdentityRow = {
  id: string;
  public_key: string;
  type: IdentityType;
  name: string | null;
  created_at: number;
  disabled_at: number | null;
  signed_out_at: number | null; // tokens issued until then are invalid
};

export type SignInRow = {
  id: string; // that of the token
  identity_id: string;
  description: string;
  created_at: number;
  used_at: number;
  expires_at: number;
  browser_id: string | null; // of the key; null for the one that registered the identity
};

/** A further browser of an identity, with its own key. */
export type BrowserRow = {
  id: string;
  identity_id: string;
  public_key: string;
  description: string;
  created_at: number;
};

/** The link by which an identity adds a browser, and the key of the one that opened it. */
export type PairingRow = {
  identity_id: string;
  id: string;
  secret_hash: string; // SHA-256 of the secret in the link
  public_key: string | null;
  description: string | null;
  expires_at: number;
  confirmed_at: number | null;
};

export type OrganizationRow = {
  id: string;
  name: string;
  created_by: string | null; // identity id; its quota of organizations counts this one for as long as it exists
  created_at: number;
};

export type MemberRow = {
  org_id: string;
  identity_id: string;
  role: Role;
  joined_at: number;
  origin: MembershipOrigin;
};

export type InvitationRow = {
  id: string;
  org_id: string;
  secret_hash: string; // SHA-256 of the secret in the link
  role: Role;
  name: string | null;
  invited_by: string;
  created_at: number;
  expires_at: number;
  ended_at: number | null; // when it was accepted, declined or withdrawn
};

export type SiteRow = {
  id: string;
  org_id: string;
  name: string;
  created_at: number;
  latitude: number | null;
  longitude: number | null;
  cell: string | null; // H3 resolution 6
  timezone: string | null;
  timezone_set: number; // 1 when a person chose the time zone, 0 when it follows the position
  country: string | null;
  price_area: string | null;
  tariff_id: string | null;
  fuse_a: number | null;
};

export type GatewayRow = {
  serial: string;
  org_id: string | null; // null while it is unclaimed
  public_key: string;
  listed: number; // 1 when the operator allow-listed the key
  claimed_at: number | null;
  ownership_at_s: number; // whole seconds of the last accepted claim or release; older ones are refused
  online: number;
  last_seen: number | null;
  /** ms of the first accepted broker token with an audience; later tokens must have one too */
  token_audience_at: number | null;
  version: string | null; // of its software, as it reports; null until then
};

export type ClaimNonceRow = {
  serial: string;
  nonce: string;
  identity_id: string;
  org_id: string;
  message: string;
  used_at: number;
};

export type DeviceRow = {
  id: string;
  org_id: string;
  site_id: string;
  gateway_serial: string;
  hardware_id: string;
  topic_id: string; // hardware_id as spelled in topics
  type: DeviceTypeId;
  name: string;
  manufacturer: string | null;
  model: string | null;
  state: DeviceState;
  online: number;
  last_seen: number | null;
  created_at: number;
};

export type DerRow = {
  id: string;
  no: number; // stands for the DER in stored telemetry
  device_id: string;
  name: string;
  type: DerTypeId;
  created_at: number;
};

export type CommandRow = {
  id: string;
  der_id: string;
  org_id: string;
  gateway_serial: string;
  power_w: number;
  ttl_s: number;
  status: CommandStatus;
  created_at: number;
  expires_at: number;
  history: string; // JSON list of steps
  created_by: string | null; // identity id; unknown for commands of older versions
  created_by_name: string | null;
  order_id: string | null;
};

/** A command that the platform renews until it ends. A DER has at most one that has not ended. */
export type OrderRow = {
  id: string;
  der_id: string;
  power_w: number;
  kind: OrderEnd;
  target_soc_pct: number | null;
  starts_at: number;
  ends_at: number; // at the latest
  due_at: number; // when to look at it next
  command_id: string | null; // its newest lease
  failures: number; // in a row
  applied_at: number | null; // of the first lease
  created_at: number;
  created_by: string;
  created_by_name: string | null;
  client_id: string | null; // the application that acted for the person
  ended_at: number | null;
  ended_by: EndReason | null;
  message: string | null;
};

export type AuditRow = {
  id: string;
  org_id: string;
  at: number;
  actor: string;
  actor_name: string | null; // this and the next name as they were at the time
  action: string;
  object: string;
  object_name: string | null;
  details: string;
};

export type SigningKeyRow = {
  kid: string;
  private_key: string; // PKCS 8, PEM
  stage: 'next' | 'current' | 'retiring'; // next is already published, current signs, retiring only verifies
  created_at: number;
  expires_at: number | null; // when the last token it signed expires
};

export type OAuthClientRow = {
  id: string;
  org_id: string | null; // null when the operator registered it
  name: string;
  redirect_uris: string; // JSON list
  secret_hash: string | null; // null for an application that cannot keep a secret
  created_at: number;
};

export type OAuthConsentRow = {
  id: string;
  identity_id: string;
  client_id: string;
  scopes: string; // separated by spaces
  org_ids: string; // JSON list
  created_at: number;
  expires_at: number;
};

/** A record of the OAuth server: a code, a token, a grant, or a request that waits for a person. */
export type OAuthRecordRow = {
  id: string; // SHA-256 of the secret that the client or the browser holds
  kind: string;
  grant_id: string | null;
  client_id: string | null;
  identity_id: string | null;
  payload: string; // JSON, without that secret
  consumed_at: number | null;
  expires_at: number;
};

/** A client that is or was connected to the broker of a process; `node` is '' when it is not. */
export type BrokerConnectionRow = {
  client_id: string; // with the user name
  owner: string; // a serial or an identity id
  node: string;
  previous_node: string | null;
  epoch: number; // higher for each connection of the client
  expires_at: number;
};

/** A DER in the ledger of a site. */
export type EnergyDerRow = {
  site_id: string;
  slot: number; // stands for the DER in energy_parts
  der_no: number | null; // null when the DER was deleted
  der_type: DerTypeId;
  device_type: DeviceTypeId;
  after_at: number; // earlier readings belong to another site; 0 if it was at no other
  since: number; // time of the first reading
  last_at: number; // time of the last reading that is in the ledger
};

export type EnergyPartRow = { site_id: string; day: number; slot: number; totals: Uint8Array; body: Uint8Array };

/** Receives alerts: a browser or an address of a person, or a webhook or topic of a site. */
export type AlertChannelRow = {
  id: string;
  identity_id: string | null;
  site_id: string | null;
  kind: 'push' | 'email' | 'webhook' | 'ntfy';
  name: string;
  target: string; // endpoint, address or URL
  secret: string | null; // JSON keys of a push subscription, the secret of a webhook, the token of a topic
  language: AlertLanguage;
  verified_at: number | null;
  code_hash: string | null; // of the code that confirms an address
  code_expires_at: number;
  code_tries: number; // wrong codes
  created_at: number;
  browser_id: string | null; // of push, if it is a further browser: removed with it
};

/** A person who follows a site; quiet hours are minutes of the day, in the time zone of the site. */
export type AlertFollowRow = {
  site_id: string;
  identity_id: string;
  quiet_from: number | null;
  quiet_to: number | null;
  except_urgent: number;
};

export type AlertRow = {
  id: string;
  site_id: string;
  rule: AlertRule;
  subjects: string; // JSON list of what the alert is about: device ids, serials, a day
  facts: string; // JSON, from which the texts are made
  at: number;
  ended_at: number | null;
};

/** A message to one channel: the outbox. The channel may have been deleted since. */
export type AlertDeliveryRow = {
  id: string;
  alert_id: string;
  channel_id: string;
  channel_kind: AlertChannelRow['kind'];
  is_clear: number; // 1 for an all-clear
  status: 'waiting' | 'sent' | 'failed' | 'skipped';
  due_at: number;
  give_up_at: number;
  claimed_until: number; // a process is sending it until then
  tries: number;
  reason: string | null; // of the last failure
};

export type Schema = {
  settings: { name: string; value: string };
  identities: IdentityRow;
  used_challenges: { id: string; expires_at: number };
  revoked_tokens: { jti: string; expires_at: number };
  signing_keys: SigningKeyRow;
  idempotency: {
    caller: string;
    key: string;
    request_hash: string;
    status: number;
    body: string;
    created_at: number;
  };
  organizations: OrganizationRow;
  members: MemberRow;
  invitations: InvitationRow;
  audit: AuditRow;
  sign_ins: SignInRow;
  browsers: BrowserRow;
  pairings: PairingRow;
  sites: SiteRow;
  /** `periods` is JSON */
  site_contracts: { site_id: string; periods: string; changed_at: number };
  /** sites whose rules are checked; `rules` is JSON, the changed ones */
  alert_sites: { site_id: string; rules: string };
  alert_channels: AlertChannelRow;
  alert_follows: AlertFollowRow;
  alerts: AlertRow;
  alert_deliveries: AlertDeliveryRow;
  plan_sites: PlanSiteRow;
  plans: PlanRow;
  plan_days: PlanDayRow;
  plan_gateways: PlanGatewayRow;
  gateways: GatewayRow;
  claim_nonces: ClaimNonceRow;
  devices: DeviceRow;
  ders: DerRow;
  der_fields: { der_no: number; name: string };
  erasures: { der_no: number; deleted_at: number };
  energy_ders: EnergyDerRow;
  energy_parts: EnergyPartRow;
  site_energy: Omit<EnergyPartRow, 'slot'>;
  energy_due: { der_no: number; quarter: number; version: number };
  commands: CommandRow;
  orders: OrderRow;
  broker_connections: BrokerConnectionRow;
  /** `caller` is JSON */
  stream_tickets: { id: string; site_id: string; caller: string; expires_at: number };
  oauth_clients: OAuthClientRow;
  oauth_consents: OAuthConsentRow;
  oauth_records: OAuthRecordRow;
  /** bytes of readings stored for an organization, by UTC day since the epoch */
  telemetry_usage: { org_id: string; day: number; bytes: number };
  cells: { h3_index: string; site_count: number };
  cell_ders: { h3_index: string; der_type: DerTypeId; der_count: number };
};
