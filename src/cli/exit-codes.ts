/** What scripts may rely on (README, "Exit codes"). */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unavailable: 69,
  bug: 70,
  exhausted: 75,
  configuration: 78,
  timeout: 124,
  interrupted: 130,
  terminated: 143,
} as const;
