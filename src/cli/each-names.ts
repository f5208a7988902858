/**
 * What workers are called in branches and folders. A worker's name may be none for a branch (git-check-ref-format(1): no
 * `..`, no `.lock` or `.` at the end), and two may be one where letters' case does not count.
 */
export function namesFor(ids: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return ids.map((id) => {
    const plain = id.replace(/\.(?=\.)|\.(?:lock)?$/gi, (end) => end.replace('.', '_'));
    let name = plain;
    for (let copy = 2; taken.has(name.toLowerCase()); copy += 1) name = `${plain}-${String(copy)}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
