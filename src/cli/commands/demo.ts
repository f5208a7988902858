import type { Io } from '../io.ts';

export async function demo(_io: Io): Promise<number> {
  return Promise.resolve(0);
}
