/** What the children of a live test know of this machine: built from nothing, name by name. */
export interface PrivatePlace {
  /** Where programs are found; the only thing that is taken from the user. */
  readonly path: string;
  readonly home: string;
  readonly tmp: string;
  /** IANA. */
  readonly zone: string;
  /** Whoever wants out of this machine is led here, and noted. */
  readonly proxy: string;
}

export function privateEnvironment({ path, home, tmp, zone, proxy }: PrivatePlace): Record<string, string> {
  return {
    ...{ PATH: path, HOME: home, TMPDIR: tmp, TZ: zone, LANG: 'C.UTF-8' },
    ...{ HTTPS_PROXY: proxy, HTTP_PROXY: proxy, NO_PROXY: '127.0.0.1,localhost' },
  };
}

/** What a shell adds by itself (POSIX sh, bash and zsh as sh), and macOS to every process. */
const OF_THE_SHELL = new Set(['PWD', 'OLDPWD', 'SHLVL', '_', '__CF_USER_TEXT_ENCODING']);

/**
 * What is wrong with an environment as `env` printed it in the child: a variable that nobody here gave it, or a place
 * that is not on this machine. Sentences without their full stops; none when all is well.
 */
export function environmentProblems(printed: string, given: ReadonlySet<string>): readonly string[] {
  return printed
    .split('\n')
    .filter((line) => /^[A-Za-z_][A-Za-z0-9_]*=/.test(line))
    .flatMap((line) => {
      const name = line.slice(0, line.indexOf('='));
      const value = line.slice(name.length + 1);
      const place = /https?:\/\/(?!127\.0\.0\.1[:/])[^\s'"]+/.exec(value)?.[0];
      return [
        ...(given.has(name) || OF_THE_SHELL.has(name)
          ? []
          : [`its environment had ${name}, which nobody gave it`]),
        ...(place === undefined ? [] : [`its environment told it of ${place}`]),
      ];
    });
}
