import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';

/** A port of this machine at which connections are refused, for as long as it is held. */
export interface RefusingPort {
  readonly port: number;
  release(): void;
}

/**
 * Takes the near end of a connection of our own: the system gives that port to nobody else, and nobody listens on
 * it. A port that was merely closed could be somebody's a moment later. Rejects with the system's error.
 */
export async function holdRefusingPort(host: string): Promise<RefusingPort> {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[ReturnType<typeof connect>]>;
  const near = connect((server.address() as AddressInfo).port, host);
  try {
    await once(near, 'connect');
  } catch (error) {
    server.close();
    throw error;
  }
  const [far] = await accepted;
  return {
    port: near.localPort ?? 0,
    release() {
      near.destroy();
      far.destroy();
      server.close();
    },
  };
}
