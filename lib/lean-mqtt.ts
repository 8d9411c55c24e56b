import { writeToStream } from 'mqtt-packet';

// It would keep every number of two bytes ready as a buffer: 18 MB and 50 ms from the first packet on, and is no faster for it.
writeToStream.cacheNumbers = false;
