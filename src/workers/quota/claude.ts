import { fromIso } from '../../core/time.ts';
import { isRecord, JsonLines, numberField, recordField, stringField } from '../json-lines.ts';
import type { QuotaAnswer, QuotaWays, QuotaWindow } from '../quota-answer.ts';
import { unknownQuota } from '../quota-answer.ts';
import { knownWindow } from '../readers/claude-windows.ts';

const QUESTION = 'secondwind';

/**
 * The control request `get_usage`: one request to the account's usage, no tokens, with a claude.ai login only
 * (@anthropic-ai/claude-agent-sdk 0.3.197 and 0.3.332 `sdk.d.ts`, where it is called experimental; its "unknown" answers
 * were seen of 2.1.197).
 */
export const claudeQuota: QuotaWays = {
  args: () => ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
  asks: [
    {
      ...{ type: 'control_request', request_id: QUESTION },
      request: { subtype: 'get_usage', skip_behaviors: true },
    },
  ],
  read,
};

function read(line: string): QuotaAnswer | undefined {
  const parsed = new JsonLines().push(line);
  const [event] = parsed.type === 'events' ? parsed.events : [];
  if (event?.type !== 'control_response') return undefined;
  const response = recordField(event, 'response');
  if (response['request_id'] !== QUESTION) return undefined;
  if (response['subtype'] !== 'success')
    return unknownQuota(stringField(response, 'error') ?? 'it refused to say');
  const usage = recordField(response, 'response');
  if (usage['rate_limits_available'] !== true) return unknownQuota('its login has no windows');
  const limits = recordField(usage, 'rate_limits');
  // Beyond a full window the work goes on where extra usage is on: then a full window says nothing about room.
  const goesOn = recordField(limits, 'extra_usage')['is_enabled'] === true;
  const windows = Object.entries(limits).flatMap(([name, value]) => windowOf(name, value, goesOn));
  return windows.length === 0
    ? unknownQuota('the provider did not say how full its windows are')
    : { type: 'seen', windows, credits: undefined };
}

function windowOf(name: string, value: unknown, goesOn: boolean): readonly QuotaWindow[] {
  const known = knownWindow(name);
  if (known === undefined || !isRecord(value)) return [];
  const usedPercent = numberField(value, 'utilization');
  if (usedPercent === undefined) return [];
  const resetAt = fromIso(stringField(value, 'resets_at') ?? '');
  return [
    { name: known.reason, scope: known.scope, usedPercent, resetAt, isClosed: usedPercent >= 100 && !goesOn },
  ];
}
