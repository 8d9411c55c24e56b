/** A hardware id as it stands in a topic: no separator, no wildcard, nothing that needs escaping. */
export const topicId = (hardwareId: string): string => hardwareId.replace(/[^A-Za-z0-9_-]/gu, '_');
