import { startCloud } from '#cloud/main.ts';

// The platform as a process whose log is searched. With PLANTED=telling it has the bug that must be found: it writes the
// headers of every request into the text of a line, where no redaction reaches them.

const { PLANTED, ...env } = process.env;

const { url, mqttUrl } = await startCloud(env, {
  version: 'test',
  mountMore(app) {
    if (PLANTED !== 'telling') return;
    app.server.prependListener('request', ({ headers }) => app.log.debug(`asked with ${JSON.stringify(headers)}`));
  },
});
process.send?.({ url, mqttUrl });
