import { writeToStream } from 'mqtt-packet';

// By default the library caches a buffer for every 16-bit number with the first packet: 18 MB and 50 ms, and no faster.
writeToStream.cacheNumbers = false;
