import type { AttemptProgress, ToolUse } from '../core/session.ts';
import { oneLine } from './tool-detail.ts';
import type { AgentTool, Observation } from './adapter.ts';

/** How much of an attempt is remembered for whoever carries on: enough to be told of it, bounded whatever it prints. */
const MOST_TOOLS = 200;
const LONGEST_WORDS = 4_000;

/** What was done in an attempt, for a handoff to a CLI that cannot read the conversation itself. */
export class Transcript {
  readonly #tools = new Map<string, ToolUse>();
  #unnamed = 0;
  #dropped = 0;
  #lastWords = '';

  add(observation: Observation): void {
    if (observation.type === 'text') {
      const end = observation.delta ? '' : '\n';
      this.#lastWords = (this.#lastWords + observation.text + end).slice(-LONGEST_WORDS);
    }
    if (observation.type === 'tool') this.#addTool(observation);
  }

  #addTool({ id, name, detail, status }: AgentTool): void {
    if (status === 'started') this.#lastWords = '';
    const key = id === '' ? `#${String((this.#unnamed += 1))}` : id;
    const before = this.#tools.get(key);
    // The end of a tool that was dropped to stay within bounds has nothing to be added to.
    if (before === undefined && name === '') return;
    this.#tools.set(key, { name: before?.name ?? name, detail: before?.detail ?? oneLine(detail), status });
    if (this.#tools.size <= MOST_TOOLS) return;
    const [oldest] = this.#tools.keys();
    if (oldest !== undefined && this.#tools.delete(oldest)) this.#dropped += 1;
  }

  /** What is known of a use by the CLI's own id of it, as its end often does not say again what it was. */
  tool(id: string): ToolUse | undefined {
    return this.#tools.get(id);
  }

  /** What is told of it to whoever carries on. */
  summary(): Pick<AttemptProgress, 'tools' | 'droppedTools' | 'lastWords'> {
    return {
      tools: [...this.#tools.values()],
      droppedTools: this.#dropped,
      lastWords: this.#lastWords.trim(),
    };
  }
}
