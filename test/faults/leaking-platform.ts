import '../../bench/servers/cloud.ts';

// The platform of a bench with a planted bug: its memory grows every second.

const everyMs = 200;
const bytes = 1_000_000;

const held: Buffer[] = [];
setInterval(() => held.push(Buffer.alloc(bytes, held.length)), everyMs).unref();
