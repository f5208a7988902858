/** The instants of one update at which the power may fail, in their order. Tests end the process at each. */
export const SAVE_STEPS = [
  'claimed',
  'locked',
  'created',
  'written',
  'synced',
  'renamed',
  'entry-removed',
  'released',
  'folder-synced',
] as const;

export type SaveStep = (typeof SAVE_STEPS)[number];

/** Told of each step as it is done. */
export type Reached = (step: SaveStep) => void;
