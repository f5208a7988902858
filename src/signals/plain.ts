/** Words of a moment: `3:45pm (Europe/Paris)`, `Feb 23rd, 2026 9:01 PM`, `3 days 4 hours`, `Mon 12:00am`. */
const MOMENT =
  '(?:(?:at|on|in|after|and|de|tomorrow|today|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?|[ap]\\.?m\\.?|\\d[\\w:/+-]*(?:\\.\\d+\\w*)?|\\{\\w+\\}|(?:day|hour|minute|second)s?|utc|gmt[+-]?[\\d:]*|[a-z]{2,4}t)(?=[ ,.()!]|$)[ ,]*)+(?:\\([\\w/+ -]+\\))?';

/**
 * What vendors write after the first words of a refusal. What an agent says about a limit starts like the real message
 * and goes on in prose ("You've hit your session limit before, so I added a retry."): none of these.
 */
const CONTINUATIONS = [
  // claude's clauses after a bullet; nobody else writes one; and what it puts in parentheses
  '· (?!(?:your [\\w-]+ limits? )?resets?\\b)[^·]{1,200}|\\(\\d{3}\\)|\\([^()]{0,40}resets? [^()]{1,60}\\)|\\([A-Za-z_]{5,40}\\)',
  // claude: when, and what its TUI offers
  `(?:your |the |all )?(?:(?:session|weekly|monthly|usage|rate|5-hour) )*(?:limits? |access |quota )?(?:will )?(?:resets?|refreshes)[:,]? ${MOMENT}`,
  '\\|\\d{10}(?:\\d{3})?',
  `you will regain access ${MOMENT}|(?<=^ )${MOMENT}`,
  `(?:or )?(?:please )?(?:try again|retry|come back) (?:later|shortly|${MOMENT})`,
  "(?:run )?/[a-z][\\w-]*(?: [\\w' /-]{0,100})?",
  "(?:please )?(?:run|use) /[a-z][\\w-]*(?: [\\w' /-]{0,100})?",
  'fix external api key|contact your admin\\w*(?: to [\\w ]{0,60})?|add funds\\b.{0,80}|raise it at \\S+|view your usage details|adjust it at \\S+',
  'switch to another model(?: now)?(?: to continue)?(?: or .{0,60})?',
  'please (?:login|log in|sign in) again(?: or contact your administrator)?|please log out and sign in again',
  'and could not be refreshed|\\((?:connectionrefused|[a-z]+)\\)|now using .{0,60}|for claude messages',
  'it may not exist(?: or you may not have access to it)?|run --model to pick a different model',
  // codex: by plan, and what its servers put in the middle
  'upgrade (?:to \\w+|your plan)(?: today)?(?: \\(\\S+?\\))?(?: to (?:continue|get)[\\w ]{0,60})?(?: \\(\\S+?\\))?',
  '(?:please )?visit \\S+ to [\\w ]{0,60}|purchase more credits|check your plan and billing details',
  'to (?:get more access now|continue(?: using codex)?), [^.]{0,120}?',
  `[^.]{0,160}?,? or (?:try again|wait until) (?:later|${MOMENT})|or wait for limits to reset \\(.{0,60}\\)`,
  '(?:add|purchase|buy) (?:more )?credits\\b[\\w ]{0,60}|ask (?:your|an|a) [\\w ]{0,80}|increase your spend cap to continue',
  'please try a different model|please try again later|start a new (?:thread|conversation) or clear earlier history before retrying',
  // gemini
  `your quota will reset ${MOMENT}|suggested retry ${MOMENT}|please retry ${MOMENT}|access resets ${MOMENT}`,
  '(?:please )?wait and try again later|to increase your limits, .{0,160}|possible quota limitations .{0,200}|/stats for usage details.{0,120}',
  'please pass a valid api key|on the server|please (?:submit|go|see|refer) .{0,160}|for more (?:information|details).{0,160}',
  'get cursor pro .{0,120}|your usage limits? will reset .{0,80}|please review our .{0,160}|please upgrade .{0,120}',
  'https?://\\S+|\\(request id: \\S+\\)|,? ?(?:request id|url|cf-ray): \\S+|\\(http \\d{3}\\)|\\(status \\d{3}[\\w ]*\\)',
];

const REST = new RegExp(`^(?:[ .·!,;:–\\-\\])]*(?:${CONTINUATIONS.join('|')})(?![\\w']))*[ .·!…\\])]*$`, 'i');

/** Frames that only a CLI writes around an error: what stands inside needs no check of its own. */
const FRAME =
  /^(?:[^\p{L}\p{N}"'[{(</-]*)(?:error: |ERROR: |Error: )?(?:\[?API Error(?: \(|: (?![45]\d\d [a-z]))|\[(?:Backend|API) Error\]|unexpected status [45]\d\d\b|exceeded retry limit, last status: |stream disconnected before completion: |stream error: |Error when talking to Gemini API|Model call failed: |Codex error: \{|rate limit exceeded: Rate limit reached for |_?(?:Gaxios|Api|TerminalQuota|RetryableQuota)Error: |[45]\d\d \{|Failed to authenticate\. API Error)/u;

/** The longest line that is looked at: the longest refusal in the corpus has 700 characters, with its body. */
export const LONGEST_PLAIN = 2_000;

/** Whether what follows a vendor's words in a line is the vendor's too, to the end of the line. */
export function isVendorsToTheEnd(rest: string): boolean {
  return REST.test(rest);
}

/** Marks of quotations, diffs, lists and tables: a line that begins so was written about the refusal, not by it. */
const QUOTED = /^\s*(?:["'`+>|#*\u201c]|-(?!-))/;

export function isQuoted(line: string): boolean {
  return QUOTED.test(line);
}

/** Whether the line stands in a frame that only a CLI writes. */
export function isFramed(line: string): boolean {
  return FRAME.test(line);
}
