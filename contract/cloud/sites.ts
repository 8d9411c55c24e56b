import { may } from '../access.ts';
import { erasesTelemetry } from '../der.ts';
import { routesOf } from '../route.ts';
import {
  Id,
  Name,
  Nullable,
  NumberIn,
  OrgFilter,
  optional,
  page,
  pagesOf,
  type Static,
  Text,
  Timestamp,
  Titled,
  type TSchema,
  Type,
  texts,
} from '../schema.ts';
import { DeviceListing } from './devices.ts';

const api = routesOf({ tag: 'Sites' });
const readable = routesOf(
  { tag: 'Sites', access: may('read', 'site', 'params.site_id'), scope: 'read:sites' },
  api.all,
);
const managed = routesOf({ tag: 'Sites', access: may('manage', 'site', 'params.site_id') }, api.all);

const settable = {
  latitude: NumberIn(-90, 90),
  longitude: NumberIn(-180, 180),
  timezone: Type.String({
    pattern: '^[A-Za-z0-9_+/-]{1,64}$',
    description: 'IANA name; derived from the position by default',
  }),
  country: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2' }),
  price_area: Type.String({ pattern: '^[A-Z0-9_-]{2,16}$', description: '2 to 16 of A-Z 0-9 _ -' }),
  tariff_id: Text(128),
  fuse_a: Type.Number({ exclusiveMinimum: 0, maximum: 10_000, description: 'main fuse in ampere' }),
};

/** Null removes a value. */
const change = <S extends TSchema & { type: string }>(schema: S) => Type.Optional(Nullable(schema));

const changes = {
  latitude: change(settable.latitude),
  longitude: change(settable.longitude),
  timezone: change(settable.timezone),
  country: change(settable.country),
  price_area: change(settable.price_area),
  tariff_id: change(settable.tariff_id),
  fuse_a: change(settable.fuse_a),
};

const record = {
  ...texts('id', 'org_id', 'name'),
  created_at: Timestamp,
  ...optional(settable),
};

export const Site = Titled('Site', record);
export type Site = Static<typeof Site>;

export const SiteDetails = Titled('SiteDetails', { ...record, devices: Type.Array(DeviceListing) });
export type SiteDetails = Static<typeof SiteDetails>;

export const listSites = api.get('/sites', 'List the sites of all organizations that the caller can access', {
  access: may('read', 'organization', 'query.org_id', { filter: true }),
  scope: 'read:sites',
  query: Type.Object({ org_id: OrgFilter, ...page }),
  replies: { 200: Type.Array(Site) },
  paged: true,
});

export const createSite = api.post('/sites', 'Create a site in an organization', {
  location: '/sites/{id}',
  access: may('manage', 'organization', 'body.org_id'),
  body: Type.Object({ org_id: Id, name: Name, ...changes }),
  replies: { 201: Site },
  problems: ['unprocessable', 'quota_exceeded'],
  creates: true,
});

export const getSite = readable.get('/sites/{site_id}', 'Get a site with its devices', {
  replies: { 200: SiteDetails },
  conditional: true,
});

export const updateSite = managed.put('/sites/{site_id}', 'Update a site', {
  resource: getSite,
  volatile: ['devices'],
  body: Type.Object({ name: Type.Optional(Name), ...changes }, { minProperties: 1 }),
  replies: { 200: Site },
  problems: ['unprocessable'],
});

export const deleteSite = managed.delete('/sites/{site_id}', 'Delete a site, with cascade also its devices', {
  description: erasesTelemetry,
  resource: getSite,
  query: Type.Object({ cascade: Type.Optional(Type.Boolean()) }),
  replies: { 204: null },
  problems: ['conflict'],
});

export const listSiteDevices = readable.get('/sites/{site_id}/devices', 'List the devices of a site with their DERs', {
  ...pagesOf(DeviceListing),
});

export const siteRoutes = api.all;
