/**
 * Returns the time zone of this browser, for a home without a position: people set up their home where they live. Without a
 * time zone its days would begin at midnight in UTC.
 */
export function zoneOfBrowser(): { timezone?: string } {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'Etc/Unknown' ? {} : { timezone: timeZone };
}
