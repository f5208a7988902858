import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { expect, it } from 'vitest';

const [{ text: library } = { text: '' }] = buildSync({
  entryPoints: [join(import.meta.dirname, '../../src/system/process.ts')],
  ...{ bundle: true, write: false, format: 'esm', platform: 'node' },
}).outputFiles;

it.each([
  ['its own code when it is over', 'Promise.resolve(3)', 3],
  ['that of unfinished work when nothing is left to wait for', 'new Promise(() => {})', 70],
  ['its own code though it took a while', 'new Promise((done) => setTimeout(done, 20, 0))', 0],
])('a process ends with %s', (_what, work, code) => {
  const args = ['--input-type=module', '-e', `${library}\nexitWith(${work}, 70);`];
  expect(spawnSync(process.execPath, args).status).toBe(code);
});
