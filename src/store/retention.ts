import type { DurationMs } from '../core/time.ts';
import { DAY, durationMs } from '../core/time.ts';

const DEFAULT_RETENTION_DAYS = 30;

/** How long what was done is remembered. */
export function retentionOf(days: number | undefined): DurationMs {
  return durationMs((days ?? DEFAULT_RETENTION_DAYS) * DAY);
}
