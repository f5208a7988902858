import type { CliCheck } from './cli-check.ts';
import { isRecord } from './json-lines.ts';

/** A check that another process made, as it lies in `probes.json`. */
export function readCheck(saved: unknown): CliCheck | undefined {
  if (!isRecord(saved)) return undefined;
  if (saved['starts'] === false && typeof saved['why'] === 'string')
    return { starts: false, why: saved['why'] };
  const { login, version } = saved;
  if (saved['starts'] !== true || !isRecord(login)) return undefined;
  const known = version === undefined || typeof version === 'string' ? version : undefined;
  if (login['type'] === 'in' && typeof login['how'] === 'string') {
    return { starts: true, version: known, login: { type: 'in', how: login['how'] } };
  }
  if ((login['type'] !== 'out' && login['type'] !== 'unknown') || typeof login['why'] !== 'string')
    return undefined;
  return { starts: true, version: known, login: { type: login['type'], why: login['why'] } };
}
