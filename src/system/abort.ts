import { setMaxListeners } from 'node:events';

/** A controller on whose signal as many may wait as there are: Node warns of a leak from the eleventh on. */
export function abortForMany(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
