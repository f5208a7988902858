import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, sources } from '../rig/sources.ts';

/** Each folder may import itself and those after it (DESIGN 8). `upstream` is the loopback provider of the live tests. */
const ORDER = [
  'cli',
  'selftest',
  'library',
  'fleet',
  'workers',
  'signals',
  'store',
  'upstream',
  'system',
  'core',
];

/** Packages with effects or weight, and the one file (or folder) that may import each. */
const ONE_PLACE: Readonly<Record<string, RegExp>> = {
  chalk: /^src\/cli\/style\.ts$/,
  commander: /^src\/cli\/(program|parse|option-values|declarations\/[\w-]+)\.ts$/,
  'date-fns': /^src\/signals\//,
  '@date-fns/tz': /^src\/signals\//,
  'jsonc-parser': /^src\/store\/(?:read|loose)-config\.ts$/,
  '@valibot/to-json-schema': /^src\/store\/config-json-schema\.ts$/,
  valibot: /^src\/store\//,
};

const edges = sources('src').flatMap((source) => importsOf(source).map((to) => ({ from: source.path, to })));
const inner = edges
  .filter(({ to }) => to.startsWith('.'))
  .map(({ from, to }) => ({ from, to: posix.join(posix.dirname(from), to) }));
const outer = edges.filter(({ to }) => !to.startsWith('.'));

function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

describe('imports', () => {
  it('are found at all', () => {
    expect(inner.length).toBeGreaterThan(100);
    expect(outer.length).toBeGreaterThan(20);
  });

  it('run one way between the folders', () => {
    const wrong = inner
      .filter(({ to }) => to.startsWith('src/'))
      .filter(({ from, to }) => ORDER.indexOf(folderOf(to)) < ORDER.indexOf(folderOf(from)));
    expect(wrong).toEqual([]);
  });

  it('know every folder', () => {
    expect([...new Set(sources('src').map(({ path }) => folderOf(path)))].sort()).toEqual([...ORDER].sort());
  });

  it('never run in a circle', () => {
    const next = new Map<string, string[]>();
    for (const { from, to } of inner) next.set(from, [...(next.get(from) ?? []), to]);
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      if (done.has(path) || trail.includes(path)) return;
      for (const to of next.get(path) ?? []) visit(to, [...trail, path]);
      done.add(path);
    };
    for (const path of next.keys()) visit(path, []);
    expect(circles).toEqual([]);
  });

  it('reach Node only from src/system and src/upstream', () => {
    const wrong = outer.filter(
      ({ from, to }) => to.startsWith('node:') && !['system', 'upstream'].includes(folderOf(from)),
    );
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(ONE_PLACE))('reach %s only where it belongs', (name, place) => {
    const users = outer.filter(({ to }) => to === name || to.startsWith(`${name}/`)).map(({ from }) => from);
    expect(users).not.toEqual([]);
    expect(users.filter((from) => !place.test(from))).toEqual([]);
  });

  it('take no package that has no place', () => {
    const known = Object.keys(ONE_PLACE);
    const strange = outer.filter(
      ({ to }) => !to.startsWith('node:') && !known.some((name) => to === name || to.startsWith(`${name}/`)),
    );
    expect(strange).toEqual([]);
  });

  it('take date-fns by subpath and valibot as a namespace, as whole barrels cost start-up time', () => {
    expect(outer.filter(({ to }) => to === 'date-fns')).toEqual([]);
    const whole = sources('src').filter(({ text }) => /import \{[^}]*\} from 'valibot'/.test(text));
    expect(whole.map(({ path }) => path)).toEqual([]);
  });
});
