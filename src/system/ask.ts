import { createInterface } from 'node:readline';

/** Asks a person one question at a time. */
export interface Questions {
  /** The answer without spaces around it; `undefined` when the person ended the input or the program instead. */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly close: () => void;
}

/** Whether a person can be asked: questions go to stderr, answers come from stdin. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks on stderr, so that stdout stays what a command prints. What is typed ahead answers the questions to come. */
export function askOnTerminal(): Questions {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const early: string[] = [];
  let isOver = false;
  let take: ((answer: string | undefined) => void) | undefined;
  lines.on('line', (line) => {
    if (take === undefined) early.push(line.trim());
    else take(line.trim());
  });
  lines.once('close', () => {
    isOver = true;
    take?.(undefined);
  });
  return {
    ask: (question) =>
      new Promise((resolve) => {
        take = (answer) => {
          take = undefined;
          resolve(answer);
        };
        if (!isOver) {
          lines.setPrompt(question);
          lines.prompt();
        }
        const [first] = early.splice(0, 1);
        if (first !== undefined || isOver) take(first);
      }),
    close: () => {
      lines.close();
    },
  };
}
