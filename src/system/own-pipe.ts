import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { Pipe } from './pipe.ts';
import { pipeOn } from './pipe.ts';
import { inScratchFolder } from './scratch.ts';
import { isSystemError } from './system-error.ts';

/** As much as Node reads at a time. */
const MEMORY_BYTES = 64 * 1024;
/** The system cuts a longer path off (macOS: 104 bytes with its end), and then it may lie outside of the folder. */
const LONGEST_PATH_BYTES = 100;

/** A pipe that is read into memory of our own: `theirs` is for the child to write to, and to be closed here when it has it. */
export interface OwnPipe {
  readonly pipe: Pipe;
  readonly theirs: Socket;
}

/**
 * Opens such a pipe; `undefined` where no socket can be made, and Node's own pipe has to do. From its own pipes Node reads
 * each chunk into new memory, which is given back when garbage is collected: six times as much work as the reading itself
 * (64 MiB took 236 ms of processor time against 34, Node 20.20). Only a socket that we connect can be given memory
 * (`onread`), so this is one, through a folder that nobody else can look into and that is gone afterwards. A child does not
 * see the difference: Node's pipes are sockets too.
 */
export async function openOwnPipe(): Promise<OwnPipe | undefined> {
  try {
    return await inScratchFolder(async (folder) => {
      const path = join(folder, 's');
      if (Buffer.byteLength(path) > LONGEST_PATH_BYTES) return undefined;
      const server = createServer({ pauseOnConnect: true });
      try {
        await listening(server, path);
        return await connected(server, path);
      } finally {
        server.close();
      }
    });
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}

function connected(server: Server, path: string): Promise<OwnPipe | undefined> {
  return new Promise((resolve, reject) => {
    const { pipe, socket } = connectedSocket(path);
    socket.once('error', reject);
    // What is closed before anybody got its other end was refused by the system.
    socket.once('close', () => {
      resolve(undefined);
    });
    server.once('error', (error) => {
      socket.destroy();
      reject(error);
    });
    server.once('connection', (theirs) => {
      resolve({ pipe, theirs });
    });
  });
}

function connectedSocket(path: string): { readonly pipe: Pipe; readonly socket: Socket } {
  const free: Uint8Array[] = [];
  const socket = connect({
    path,
    onread: {
      buffer: () => free.pop() ?? Buffer.allocUnsafeSlow(MEMORY_BYTES),
      callback(size, { buffer }) {
        handOver(Buffer.from(buffer, 0, size));
        return true;
      },
    },
  });
  const { pipe, handOver } = pipeOn(socket, ({ buffer }) => free.push(Buffer.from(buffer)));
  return { pipe, socket };
}
