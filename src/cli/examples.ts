/** How the commands are used whose own declarations do not say so, by their paths; each without the program's name. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '': ["run 'make the failing test pass'", 'cooldown', 'help run'],
  sessions: ['sessions', 'sessions show 20261129-235725-jd0e'],
  'sessions list': ['sessions list --json'],
  'sessions show': ['sessions show 20261129-235725-jd0e'],
  status: ['status', 'status --watch'],
  explain: ["explain 'make the failing test pass'", 'explain --session 20261129-235725-jd0e'],
  workers: ['workers'],
  cooldown: ['cooldown', 'cooldown clear claude-work', 'cooldown add codex --for 2h'],
  'cooldown list': ['cooldown list --json'],
  'cooldown clear': ['cooldown clear claude-work', 'cooldown clear --kind auth-failure'],
  quota: ['quota', 'quota history --since 2d', 'quota poll'],
  'quota list': ['quota list --json'],
  'quota history': ['quota history --since 2d --seat claude'],
  'quota poll': ['quota poll'],
  config: ['config', 'config init', 'config path'],
  demo: ['demo'],
};
