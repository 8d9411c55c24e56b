/** Adds the further browser that receives push messages, so that they end when it is removed. */
export const alertBrowsers = `
  alter table alert_channels add column browser_id text references browsers (id) on delete cascade;
  create index alert_channels_by_browser on alert_channels (browser_id) where browser_id is not null`;
