import { startCloud } from '#cloud/main.ts';

// The platform as a process whose log is searched. With PLANTED=telling it has the bug that must be noticed: it logs the
// headers of every request as text, where redaction does not apply.

const { PLANTED, ...env } = process.env;

const { url, mqttUrl } = await startCloud(env, {
  version: 'test',
  mountMore(app) {
    if (PLANTED !== 'telling') return;
    app.server.prependListener('request', ({ headers }) => app.log.debug(`asked with ${JSON.stringify(headers)}`));
  },
});
process.send?.({ url, mqttUrl });
