import { entriesOf } from '../../system/folder.ts';
import { readTextFile } from '../../system/input.ts';
import { packageRoot } from '../../system/package-root.ts';
import { isSince, versionIn } from '../../workers/login.ts';

/** The versions of a CLI that the recorded runs of this package were made with, the newest last. */
export function capturedVersions(adapter: string): readonly string[] {
  const folder = `${packageRoot()}/fixtures/${adapter}`;
  const captures = entriesOf(folder);
  if (!captures.ok) return [];
  const versions = captures.value.flatMap(({ name }) => {
    const text = readTextFile(`${folder}/${name}/capture.json`);
    const version = text.ok ? versionIn(/"version"\s*:\s*"([^"]*)"/.exec(text.value)?.[1] ?? '') : undefined;
    return version === undefined ? [] : [version];
  });
  return [...new Set(versions)].sort((a, b) => (a === b ? 0 : isSince(a, b) ? 1 : -1));
}
