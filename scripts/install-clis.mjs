// Installs the agent CLIs that the live tests drive, at pinned versions, into a cache outside of the project:
// 750 MB that no `npm ci` should wait for. Prints where each program lies; `--json` for machines.
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The one place where the versions stand. `command` is what to run inside the folder in which npm installed. */
export const CLIS = {
  claude: {
    // The npm package proper is a launcher that a blocked install script leaves without its binary.
    package: `@anthropic-ai/claude-code-${process.platform}-${process.arch}${isMusl() ? '-musl' : ''}`,
    version: '2.1.197',
    command: (folder, name) => [join(folder, 'node_modules', name, 'claude')],
  },
  codex: {
    package: '@openai/codex',
    version: '0.171.0',
    command: (folder, name) => [process.execPath, join(folder, 'node_modules', name, 'bin', 'codex.js')],
  },
  gemini: {
    package: '@google/gemini-cli',
    version: '0.61.0',
    command: (folder, name) => [process.execPath, join(folder, 'node_modules', name, 'bundle', 'gemini.js')],
  },
};

/** Installs what is missing; returns each CLI's command, program first. Throws an error that says what to do. */
export async function installClis(names = Object.keys(CLIS)) {
  const cache = await cacheFolder();
  const commands = {};
  // One after the other: npm's downloads share one line anyway, and an error then names its CLI alone.
  for (const name of names) commands[name] = await installCli(name, cache, CLIS[name].version);
  return commands;
}

/** The newest release of each, where it runs on this machine; of the others `{ error }`. */
export async function installNewest(names = Object.keys(CLIS)) {
  const cache = await cacheFolder();
  const found = {};
  for (const name of names) {
    try {
      const { stdout } = await run('npm', ['view', CLIS[name].package, 'version']);
      found[name] = { command: await installCli(name, cache, stdout.trim()), version: stdout.trim() };
    } catch (error) {
      found[name] = { error: brief(error.message) };
    }
  }
  return found;
}

async function cacheFolder() {
  const cache =
    process.env.SECONDWIND_LIVE_CLIS ||
    join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'secondwind-live-clis');
  await mkdir(cache, { recursive: true }).catch((error) => {
    throw new Error(`no place for the CLIs: ${error.message}. SECONDWIND_LIVE_CLIS names another folder.`);
  });
  return cache;
}

async function installCli(name, cache, version) {
  const { package: packageName, command } = CLIS[name];
  const folder = join(cache, `${name}-${version}-${process.platform}-${process.arch}`);
  if (await exists(folder)) {
    await verify(name, version, command(folder, packageName), folder);
    return command(folder, packageName);
  }
  // Installed aside and moved into place when it is complete and runs, so that nobody ever sees half of it. Of two
  // that start at once, the second to finish throws its own away.
  const aside = await mkdtemp(join(cache, `.${name}-`));
  try {
    process.stderr.write(`Installing ${packageName}@${version} …\n`);
    await writeFile(join(aside, 'package.json'), '{ "private": true }\n');
    await npmInstall(`${packageName}@${version}`, aside);
    await verify(name, version, command(aside, packageName), aside);
    await rename(aside, folder).catch((error) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return command(folder, packageName);
}

async function npmInstall(spec, cwd) {
  const args = [
    'install',
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--ignore-scripts',
    '--loglevel=error',
    spec,
  ];
  try {
    await run('npm', args, { cwd, maxBuffer: 16 * 1024 * 1024 });
  } catch (error) {
    throw new Error(`npm could not install ${spec}: ${brief(error.stderr || error.message)}`, {
      cause: error,
    });
  }
}

/** A CLI counts as installed when it says its own version: that finds a wrong platform and a missing binary alike. */
async function verify(name, version, [program, ...args], folder) {
  const remedy = `Delete ${folder} and try again.`;
  // A home of its own, so that not even `--version` reads or writes the user's.
  const home = await mkdtemp(join(folder, '.home-'));
  try {
    const env = { PATH: process.env.PATH, HOME: home, GEMINI_CLI_NO_RELAUNCH: 'true' };
    const { stdout } = await run(program, [...args, '--version'], { timeout: 60_000, env });
    if (!stdout.includes(version)) {
      throw new Error(`expected ${name} ${version}, but it calls itself '${stdout.trim()}'. ${remedy}`);
    }
  } catch (error) {
    if (error.code === undefined && error.signal === undefined) throw error;
    throw new Error(
      `${name} ${version} was installed but does not run: ${brief(error.stderr || error.message)} ${remedy}`,
      {
        cause: error,
      },
    );
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function isMusl() {
  return process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
}

async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** npm and crashing CLIs say what is wrong first, and much after that. */
function brief(text) {
  return text.trim().split('\n').slice(0, 5).join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const commands = await installClis();
    if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(commands)}\n`);
    else
      for (const [name, command] of Object.entries(commands))
        process.stdout.write(`${name}: ${command.join(' ')}\n`);
  } catch (error) {
    process.stderr.write(`install-clis: ${error.message}\n`);
    process.exitCode = 1;
  }
}
