/** Why something could not be remembered or recalled. Never a reason to stop a run. */
export interface StoreProblem {
  readonly type:
    /** Others held the lock for the whole wait, or it is stuck. */
    | 'locked'
    | 'cancelled'
    | 'unreadable'
    | 'unwritable'
    /** Written by a program newer than this one, and left as it is. */
    | 'newer'
    /** It was no state of ours and was moved out of the way; work goes on from an empty one. */
    | 'set-aside';
  readonly path: string;
  /** The sentence for people: what was expected, what was found, what to do. */
  readonly message: string;
}

/** A reporter that says each thing once: what is read every second must not complain every second. */
export function onceEach(report: (problem: StoreProblem) => void): (problem: StoreProblem) => void {
  const said = new Set<string>();
  return (problem) => {
    if (said.has(problem.message)) return;
    said.add(problem.message);
    report(problem);
  };
}
