import { startCloud } from '#cloud/main.ts';
import { growHeapWhenBusy } from '#lib/heap.ts';
import { report } from './report.ts';

const { url, mqttUrl, close } = await startCloud(process.env, { version: '0.0.0' });
growHeapWhenBusy(); // as the command line does
report({ url: url.replace('localhost', '127.0.0.1'), mqttUrl }, close);
