import { describe, expect, it } from 'vitest';
import { DAY, epochMs, HOUR, MINUTE, SECOND } from '../../../src/core/time.ts';
import type { EpochMs } from '../../../src/core/time.ts';
import {
  believe,
  nextMidnightPacific,
  readInstantField,
  readReset,
  readRetryAfter,
} from '../../../src/signals/reset.ts';

const iso = (text: string): EpochMs => epochMs(Date.parse(text));
/** A Thursday. */
const NOON = iso('2026-04-16T10:00:00Z');

const asIso = (instant: EpochMs | undefined) =>
  instant === undefined ? undefined : new Date(instant).toISOString().replace('.000', '');

describe('a reset in the words of a vendor', () => {
  it.each([
    // claude
    ['resets 3am', '2026-04-17T07:00:00Z'],
    ['resets 3:00 PM', '2026-04-16T19:00:00Z'],
    ['resets 2pm (Europe/Berlin)', '2026-04-16T12:00:00Z'],
    ['resets Oct 9, 5pm (UTC)', '2026-10-09T17:00:00Z'],
    ['resets Apr 23 at 4pm (America/Recife)', '2026-04-23T19:00:00Z'],
    ['resets Mon 12:00am', '2026-04-20T04:00:00Z'],
    ['resets Thursday 9am', '2026-04-16T13:00:00Z'],
    ['resets Oct 24', '2026-10-24T04:00:00Z'],
    ['Claude AI usage limit reached|1776400000', '2026-04-17T04:26:40Z'],
    ['Your limit will reset \n     at 3pm (America/Santiago).', '2026-04-16T19:00:00Z'],
    ['Limits will reset at 9:30 AM.  View your usage details.', '2026-04-16T13:30:00Z'],
    ['Claude usage limit reached. Your limit will reset at 12am.', '2026-04-17T04:00:00Z'],
    ['resets 12pm (UTC)', '2026-04-16T12:00:00Z'],
    ['You will regain access on 2026-06-01 at 00:00 UTC.', '2026-06-01T00:00:00Z'],
    ['spend limit reached (daily; resets 2026-04-17 00:00 UTC)', '2026-04-17T00:00:00Z'],
    // codex
    ['try again at 9:16\u202fAM.', '2026-04-16T13:16:00Z'],
    ['try again at Sep 24th, 2026 9:16 AM.', '2026-09-24T13:16:00Z'],
    ['try again at Apr 28th, 2026 4:13 PM.', '2026-04-28T20:13:00Z'],
    ['try again in 3 days 4 hours 5 minutes.', '2026-04-19T14:05:00Z'],
    ['Please try again in 28ms. Visit', '2026-04-16T10:00:00.028Z'],
    ['Weekly limit: 82% left (resets 16:21 on 19 May)', '2026-05-19T20:21:00Z'],
    ['Your rate limit resets on Apr 25, 2026, 12:54 AM. To continue', '2026-04-25T04:54:00Z'],
    ['or wait until May 30, 2026, 4:12 PM.', '2026-05-30T20:12:00Z'],
    ['se restablece el 26 may 2026, 2:40 p.m.', '2026-05-26T18:40:00Z'],
    ['try again at 10 de jul. de 2026, 11:52', '2026-07-10T15:52:00Z'],
    ['"resets_in_seconds":9568}', '2026-04-16T12:39:28Z'],
    // gemini
    ['Your quota will reset after 3h5m20s.. Retrying after 12368268ms...', '2026-04-16T13:05:20Z'],
    ['Please retry in 34.07s.', '2026-04-16T10:00:34.070Z'],
    ['"retryDelay": "34s"', '2026-04-16T10:00:34Z'],
    ['Access resets at 10:57 PM GMT-3.', '2026-04-17T01:57:00Z'],
    ["quotaResetDelay '539.477544ms' quotaResetTimeStamp '2026-04-20T19:14:08Z'", '2026-04-20T19:14:08Z'],
    ['Resets in 2h39m52s', '2026-04-16T12:39:52Z'],
    ['Refreshes in 6 days and 18 hours', '2026-04-23T04:00:00Z'],
    // others
    ['Retry-After: 120', '2026-04-16T10:02:00Z'],
    ['Retry-After: Thu, 16 Apr 2026 12:28:00 GMT', '2026-04-16T12:28:00Z'],
    ['Please try again in 51 hours.', '2026-04-18T13:00:00Z'],
    ['try again after April 20, 2026 at 2:00 AM', '2026-04-20T06:00:00Z'],
    ['when your monthly cycle ends on 10/2/2026.', '2026-10-02T04:00:00Z'],
    ['your cycle ends on 24/10/2026', '2026-10-24T04:00:00Z'],
    ['[retrying in 32m 50s attempt #1]', '2026-04-16T10:32:50Z'],
    ['resets tomorrow at 3am', '2026-04-17T07:00:00Z'],
    ['resets at 8am tomorrow', '2026-04-17T12:00:00Z'],
    ['Seu limite de uso será redefinido em 10 de jul. de 2026, 11:52.', '2026-07-10T15:52:00Z'],
  ])('reads %j', (text, expected) => {
    expect(asIso(readReset(text, NOON, 'America/New_York'))).toBe(expected);
  });

  it.each([
    'Please try again in a moment',
    'Try again later.',
    'or wait for limits to reset (every 5h and every week.).',
    'Qwen OAuth free tier will be discontinued on 2026-09-15.',
    'resets 25:99',
    'resets 13pm',
    'resets Feb 30, 2027 3pm',
    'resets monthly',
    'reached 100% at 3pm',
    'Please retry in 20470344 days',
    '',
  ])('invents nothing for %j', (text) => {
    expect(readReset(text, NOON, 'America/New_York')).toBeUndefined();
  });

  it.each([
    ['resets 3pm (Etc/GMT+5)', '2026-04-16T20:00:00Z'],
    ['resets 3pm (UTC-5)', '2026-04-16T20:00:00Z'],
    ['resets 3pm (GMT+5:30)', '2026-04-17T09:30:00Z'],
    ['resets 3pm PST', '2026-04-16T22:00:00Z'],
    ['resets 3pm UTC', '2026-04-16T15:00:00Z'],
    ['resets 3pm (Asia/Calcutta)', '2026-04-17T09:30:00Z'],
    ['resets 3pm (America/Buenos_Aires)', '2026-04-16T18:00:00Z'],
    ['resets 3pm (Etc/Unknown)', '2026-04-16T13:00:00Z'],
    ['resets 3pm (Europe/Barcelona)', '2026-04-16T13:00:00Z'],
  ])('knows the zone in %j, and falls back to that of the child', (text, expected) => {
    expect(asIso(readReset(text, NOON, 'Europe/Madrid'))).toBe(expected);
  });

  it('takes UTC when nobody knows the zone of the child either', () => {
    expect(asIso(readReset('resets 3pm', NOON, 'Mars/Olympus'))).toBe('2026-04-16T15:00:00Z');
  });

  it.each([
    ['just past is still meant', 'resets 9:59am', '2026-04-16T09:59:00Z'],
    ['two minutes past is still meant', 'resets 9:58am', '2026-04-16T09:58:00Z'],
    ['longer past is tomorrow', 'resets 9:57am', '2026-04-17T09:57:00Z'],
  ])('a time of day: %s', (_, text, expected) => {
    expect(asIso(readReset(text, NOON, 'UTC'))).toBe(expected);
  });

  it('takes a minute before midnight, read a minute after it, for yesterday', () => {
    const read = readReset('resets 11:59pm', iso('2026-04-16T00:00:30Z'), 'UTC');
    expect(asIso(read)).toBe('2026-04-15T23:59:00Z');
  });

  it('rolls a day without a year over the end of the year', () => {
    expect(asIso(readReset('resets Jan 2, 9am', iso('2026-12-30T12:00:00Z'), 'UTC'))).toBe(
      '2027-01-02T09:00:00Z',
    );
  });

  it('says nothing for a day that is over, with or without a year', () => {
    expect(readReset('resets Apr 15, 9am', NOON, 'UTC')).toBeUndefined();
    expect(readReset('try again at Apr 15th, 2026 9:00 AM', NOON, 'UTC')).toBeUndefined();
  });

  it('finds February 29 in the next leap year only when that is near', () => {
    expect(asIso(readReset('resets Feb 29, 9am', iso('2028-02-25T12:00:00Z'), 'UTC'))).toBe(
      '2028-02-29T09:00:00Z',
    );
    expect(readReset('resets Feb 29, 9am', iso('2026-02-25T12:00:00Z'), 'UTC')).toBeUndefined();
  });

  it('takes the later of two instants when clocks are set back', () => {
    // New York, 2026-11-01: 1:30 am happens at 05:30Z and at 06:30Z.
    const read = readReset('resets 1:30am (America/New_York)', iso('2026-11-01T02:00:00Z'), 'UTC');
    expect(asIso(read)).toBe('2026-11-01T06:30:00Z');
  });

  it('takes an instant after the gap when clocks are set forward', () => {
    // New York, 2026-03-08: 2:30 am does not happen; 07:30Z is 3:30 am.
    const read = readReset('resets 2:30am (America/New_York)', iso('2026-03-08T02:00:00Z'), 'UTC');
    expect(asIso(read)).toBe('2026-03-08T07:30:00Z');
  });

  it('prefers the field that names an instant to the sentence beside it', () => {
    const body = '{"message":"Your quota will reset after 0s.","quotaResetTimeStamp":"2026-04-16T11:00:00Z"}';
    expect(asIso(readReset(body, NOON, 'UTC'))).toBe('2026-04-16T11:00:00Z');
  });
});

describe('belief in a reset', () => {
  it('is plain up to eight days ahead', () => {
    const resetAt = epochMs(NOON + 8 * DAY);
    expect(believe(resetAt, NOON)).toEqual({ type: 'believed', resetAt });
  });

  it('cuts short what lies further ahead', () => {
    expect(believe(epochMs(NOON + 8 * DAY + 1), NOON)).toEqual({ type: 'clamped', resetAt: NOON + 8 * DAY });
  });

  it('takes what is just past for now, and refuses what is longer past or no number', () => {
    const justPast = epochMs(NOON - 2 * MINUTE);
    expect(believe(justPast, NOON)).toEqual({ type: 'believed', resetAt: justPast });
    expect(believe(epochMs(NOON - 2 * MINUTE - 1), NOON)).toEqual({ type: 'past' });
    expect(believe(epochMs(Number.NaN), NOON)).toEqual({ type: 'past' });
  });
});

describe('Retry-After (RFC 9110, 10.2.3)', () => {
  it.each([
    ['120', NOON + 120 * SECOND],
    [' 0 ', NOON],
    ['1.5', NOON + 1_500],
    ['Thu, 16 Apr 2026 12:00:00 GMT', NOON + 2 * HOUR],
    ['Wed, 15 Apr 2026 12:00:00 GMT', NOON],
    ['Thursday, 16-Apr-26 12:00:00 GMT', NOON + 2 * HOUR],
    ['Thu Apr 16 12:00:00 2026', NOON + 2 * HOUR],
  ])('reads %j', (value, expected) => {
    expect(readRetryAfter(value, NOON)).toBe(expected);
  });

  it.each(['', '-5', 'soon', '2026-04-16', '12h', 'Thu, 32 Apr 2026 12:00:00 GMT', '9'.repeat(40)])(
    'does not read %j',
    (value) => {
      expect(readRetryAfter(value, NOON)).toBeUndefined();
    },
  );
});

describe('a field documented as epoch seconds', () => {
  it.each([
    ['1781805000', '2026-06-18T17:50:00Z'],
    [1781805000, '2026-06-18T17:50:00Z'],
    ['2026-09-17T09:13:32Z', '2026-09-17T09:13:32Z'],
  ])('reads %j', (value, expected) => {
    expect(asIso(readInstantField(value))).toBe(expected);
  });

  it.each(['', 'soon', '-1', 0, Number.NaN])('does not read %j', (value) => {
    expect(readInstantField(value)).toBeUndefined();
  });
});

describe("Gemini's daily quota", () => {
  it.each([
    ['2026-07-01T06:59:00Z', '2026-07-01T07:00:00Z', 'summer'],
    ['2026-07-01T07:00:00Z', '2026-07-02T07:00:00Z', 'midnight itself'],
    ['2026-12-31T20:00:00Z', '2027-01-01T08:00:00Z', 'new year'],
    ['2026-03-08T09:00:00Z', '2026-03-09T07:00:00Z', 'the night clocks are set forward'],
  ])('at %s returns at %s (%s)', (at, expected) => {
    expect(asIso(nextMidnightPacific(iso(at)))).toBe(expected);
  });
});
