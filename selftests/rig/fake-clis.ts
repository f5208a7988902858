import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './cli.ts';

// CLIs that are asked of their logins and quotas: what they answer is what the real ones were seen to answer.

/** A Claude Code that somebody is logged in to, and that cannot say how much is left. */
export const CLAUDE = `
case "$1" in
--version) echo '2.1.197 (Claude Code)' ;;
auth) echo '{"loggedIn":true,"authMethod":"claude.ai","email":"dev@example.com","subscriptionType":"max"}' ;;
-p*) case "$2" in --input-format) read line; echo '{"type":"control_response","response":{"subtype":"success","request_id":"secondwind","response":{"rate_limits_available":true,"rate_limits":null}}}'; sleep 60 ;; *) echo '{"type":"result","subtype":"success","is_error":false,"result":"By claude."}' ;; esac ;;
esac`;

/** An app-server that answers with these windows, and a CLI that nobody is logged in to when there are none. */
export const codex = (usedPercent: number | undefined, resetsAt = 4_102_444_800) => `
case "$1" in
--version) echo 'codex-cli 0.171.0' ;;
login) ${usedPercent === undefined ? "echo 'Not logged in' >&2; exit 1" : "echo 'Logged in using ChatGPT' >&2"} ;;
app-server) while read line; do case "$line" in *rateLimits*)
  echo '{"method":"configWarning"}'
  echo '{"id":2,"result":{"rateLimits":{"limitId":"codex","primary":{"usedPercent":${String(usedPercent)},"windowDurationMins":300,"resetsAt":${String(resetsAt)}}}}}' ;;
esac; done ;;
exec) echo '{"type":"item.completed","item":{"type":"agent_message","text":"By codex."}}'; echo '{"type":"turn.completed"}' ;;
esac`;

/** A rest that an attempt met so many hours ago. */
export function rests(stage: Stage, worker: string, ago = 1): void {
  mkdirSync(stage.stateHome, { recursive: true, mode: 0o700 });
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const cooldown = {
    ...{ target: { type: 'seat', seat: worker }, worker, kind: 'rate-limit', since: at(-ago), until: at(9) },
    ...{ source: 'text', reason: 'five-hour limit', evidence: "You've hit your usage limit." },
  };
  const content = { version: 1, cooldowns: [cooldown], clearances: [] };
  writeFileSync(join(stage.stateHome, 'cooldowns.json'), JSON.stringify(content), { mode: 0o600 });
}
