import type { OnQuota } from '../core/policy.ts';

/** A worker of the file that `config init` writes. */
export interface FirstWorker {
  readonly id: string;
  readonly adapter: string;
  /** The other home of a second login, and how one logs in there. */
  readonly login?: { readonly variable: string; readonly folder: string; readonly command: string };
}

export interface FirstConfig {
  /** None: the fleet is whatever is installed. */
  readonly workers: readonly FirstWorker[];
  readonly onQuota: OnQuota;
}

/** The text of a first `config.json`: what was chosen, and what else there is, as comments. */
export function firstConfig({ workers, onQuota }: FirstConfig): string {
  const rows = workers.map(workerRow);
  const list = rows.length === 0 ? '  // "workers": [{ "id": "claude", "adapter": "claude" }],' : block(rows);
  return `// The configuration of secondwind. Comments and trailing commas are welcome.
// What every key means: secondwind config schema. What follows from this file: secondwind config show.
{
  "$schema": "./config.schema.json",

  // Who is asked, in this order. Without this list it is every CLI that is installed.
${list}

  // When every worker rests: "stop" (exit 75), "wait" for the first to be back, or "api": admit workers with
  // "billing": "api", which cost money.
  "onQuota": ${JSON.stringify(onQuota)},

  // What an agent may do: "read", "edit" files of the work tree, or "full".
  // "permissions": "edit",

  // How long a CLI may retry over a throttle, and how long a busy provider is given in total.
  // "patience": "60s",
  // "hold": "20m",

  // Commands to run at an event; each gets the event as one line of JSON on stdin.
  // "on": { "session.ended": "notify-send 'secondwind: a task is over'" },
}
`;
}

function block(rows: readonly string[]): string {
  return `  "workers": [\n${rows.join('\n')}\n  ],`;
}

function workerRow({ id, adapter, login }: FirstWorker): string {
  const fields = [`"id": ${JSON.stringify(id)}`, `"adapter": ${JSON.stringify(adapter)}`];
  if (login === undefined) return `    { ${fields.join(', ')} },`;
  const env = `"env": { ${JSON.stringify(login.variable)}: ${JSON.stringify(login.folder)} }`;
  return `    // A second login, with a quota of its own.\n    { ${[...fields, env].join(', ')} },`;
}
