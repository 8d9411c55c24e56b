import { startCloud } from '#cloud/main.ts';
import { report } from './report.ts';

const { url, mqttUrl, close } = await startCloud(process.env, { version: '0.0.0' });
report({ url: url.replace('localhost', '127.0.0.1'), mqttUrl }, close);
