import { tzOffset } from '@date-fns/tz/tzOffset';

/**
 * Abbreviations that CLIs and their users print and that Intl refuses or reads as a fixed offset. An abbreviation
 * names a region here, so `PST` in July is still the wall clock of Los Angeles, which is what is meant.
 */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  Z: 'UTC',
  PT: 'America/Los_Angeles',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  MT: 'America/Denver',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  CT: 'America/Chicago',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  ET: 'America/New_York',
  EST: 'America/New_York',
  EDT: 'America/New_York',
  BST: 'Europe/London',
  WEST: 'Europe/Lisbon',
  CET: 'Europe/Paris',
  CEST: 'Europe/Paris',
  EEST: 'Europe/Athens',
  MSK: 'Europe/Moscow',
  IST: 'Asia/Kolkata',
  SGT: 'Asia/Singapore',
  HKT: 'Asia/Hong_Kong',
  JST: 'Asia/Tokyo',
  KST: 'Asia/Seoul',
  AEST: 'Australia/Sydney',
  AEDT: 'Australia/Sydney',
  NZST: 'Pacific/Auckland',
  NZDT: 'Pacific/Auckland',
};

/** `GMT-3` and `UTC+5:30` as Gemini prints them (Intl's short names): the sign is the everyday one, unlike `Etc/GMT+5`. */
const OFFSET = /^(?:GMT|UTC)?([+-])(\d{1,2})(?::?([0-5]\d))?$/;

/** What a zone written in a text means to the calendar functions; `undefined` when no zone of that name is known here. */
export function zoneNamed(name: string): string | undefined {
  const offset = OFFSET.exec(name.trim().replace('\u2212', '-'));
  if (offset !== null) {
    const [, sign = '+', hours = '0', minutes = '00'] = offset;
    return Number(hours) <= 14 ? `${sign}${hours.padStart(2, '0')}:${minutes}` : undefined;
  }
  const zone = ABBREVIATIONS[name.trim().toUpperCase()] ?? name.trim();
  // `Etc/Unknown` and `Europe/Barcelona` were printed by real CLIs; Node 20's Intl refuses both.
  return zone !== '' && !Number.isNaN(tzOffset(zone, new Date(0))) ? zone : undefined;
}

/** The zone in the text, else the child's, else UTC: a name nobody knows never loses the reset. */
export function zoneOr(name: string | undefined, childZone: string): string {
  return (name === undefined ? undefined : zoneNamed(name)) ?? zoneNamed(childZone) ?? 'UTC';
}
