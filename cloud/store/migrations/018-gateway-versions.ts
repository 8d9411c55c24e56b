/** Adds the version that a gateway reports. */
export const gatewayVersions = `
  alter table gateways add column version text`;
