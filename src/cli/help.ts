/** The longer texts of `--help`, each in one place. */

export const EXIT_CODES = `Exit codes:
  0    done
  1    the worker ran and failed for reasons of its own, not for lack of quota
  2    wrong usage
  69   no worker can run at all: none installed, none logged in
  70   a bug of secondwind
  75   every usable worker rests or is held past its budget; stderr says when
  78   the configuration is wrong
  124  --timeout or --idle-timeout
  130  interrupted (129: hung up, 131: quit, 143: terminated); no child left`;

export const VARIABLES = `Environment:
  SECONDWIND_HOME                    state and config.json (~/.secondwind)
  SECONDWIND_FLEET                   the workers to use, comma separated
  SECONDWIND_COOLDOWN=0              neither record nor obey cooldowns
  SECONDWIND_COOLDOWN_RATELIMIT_MS   rest after a limit without a reset (30m)
  SECONDWIND_COOLDOWN_CREDITS_MS     rest when credits are used up (24h)
  SECONDWIND_COOLDOWN_AUTH_MS        rest after a refused login (24h)
  SECONDWIND_COOLDOWN_CLI_MS         rest of a CLI that cannot run (24h)
  SECONDWIND_COOLDOWN_CONNECTION_MS  rest when no provider can be reached (5m)
  NO_COLOR, FORCE_COLOR              colour never, or always
  SECONDWIND_DEBUG=1                 show the stack trace of a bug

Hooks (config.json, "on") are given:
  SECONDWIND_SESSION                 the id of the session
  SECONDWIND_EVENT                   the event that they are run at`;

export const DURATIONS = `Durations: 90s, 30m, 5h, 2d, 1h30m, or milliseconds as a bare number.`;

/** What each adapter makes of --permissions; a test holds it to the adapters, which are not loaded for --help. */
export const PERMISSION_FLAGS = `What --permissions becomes:
  read   Claude Code  --permission-mode default --disallowedTools Bash,Edit,Write,NotebookEdit
         Codex CLI    --sandbox read-only
         Gemini CLI   --approval-mode default
  edit   Claude Code  --permission-mode acceptEdits
         Codex CLI    --sandbox workspace-write
         Gemini CLI   --approval-mode auto_edit
  full   Claude Code  --permission-mode bypassPermissions
         Codex CLI    --sandbox danger-full-access
         Gemini CLI   --approval-mode yolo`;
