/** Sentences in the vendors' own words, as logs, issues, diffs and web pages hold them. */
export const SENTENCES = [
  "You've hit your session limit · resets 9:44pm (UTC)",
  'Claude AI usage limit reached|1795988674',
  'API Error: 529 Overloaded. This is a server-side issue',
  'Invalid API key · Please run /login',
  'Your credit balance is too low to access the Anthropic API',
  'You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro) or try again at 9:53 PM.',
  'exceeded retry limit, last status: 429 Too Many Requests',
  'Reconnecting... 2/5 (unexpected status 429 Too Many Requests)',
  'Your workspace is out of credits',
  'You have exhausted your daily quota on this model.',
  'Attempt 1 failed: You have exhausted your capacity on this model. Your quota will reset after 3h5m20s.. Retrying after 12368268ms...',
  'Attempt 3 failed with status 429. Retrying with backoff... ApiError: {"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}',
  'Error when talking to Gemini API Full report available at: /tmp/x.json TerminalQuotaError: You have exhausted your daily quota on this model.',
  'HTTP/1.1 429 Too Many Requests\nRetry-After: 7200\nx-ratelimit-remaining: 0',
  'gh: API rate limit exceeded for user ID 1. (HTTP 403)',
  '- throw new Error("rate limit")\n+ throw new Error("You have hit your usage limit")',
  'FAIL src/limits.test.ts > 429 > expected 429 to be 200\n401 Unauthorized\n503 Service Unavailable',
  'connect ECONNREFUSED 127.0.0.1:443',
];

/** Every kind of event with which a vendor ends a run or retries, as a tool that prints a capture would show it. */
const EVENTS = [
  '{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":7199337,"error_status":429,"error":"rate_limit"}',
  '{"type":"system","subtype":"api_retry","attempt":2,"retry_delay_ms":500,"error_status":401,"error":"authentication_failed"}',
  '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1795988674,"rateLimitType":"five_hour","isUsingOverage":false}}',
  '{"type":"assistant","error":"rate_limit","message":{"model":"<synthetic>","content":[{"type":"text","text":"You\'ve hit your session limit"}]}}',
  '{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"You\'ve hit your session limit · resets 9:44pm (UTC)"}',
  '{"type":"error","message":"You’ve hit your usage limit. Try again at 9:53 PM."}',
  '{"type":"turn.failed","error":{"message":"You’ve hit your usage limit. Try again at 9:53 PM."}}',
  '{"type":"result","status":"error","error":{"type":"TerminalQuotaError","message":"You have exhausted your daily quota on this model."}}',
];

export const HOSTILE = [...SENTENCES, ...EVENTS, [...SENTENCES, ...EVENTS].join('\n')];
