import type { Command } from 'commander';
import type { InitFlags } from '../commands/config-init.ts';
import type { PlanFlags } from '../plan-flags.ts';
import type { Declaring } from './declaring.ts';
import { defaultCommand } from './default-command.ts';
import { howLongOptions, permissionsOption, whoOptions } from './session-options.ts';

interface JsonFlag {
  readonly json?: boolean;
}

export function declareConfig(program: Command, { io, done }: Declaring): void {
  const config = program
    .command('config')
    .description('what is configured, and where it comes from; write a first configuration');
  const show = defaultCommand(config, 'show')
    .description('every setting as a run from here would take it, and who said so')
    .option('-C, --cd <dir>', 'as a run in this directory')
    .option('--json', 'as JSON');
  permissionsOption(show, 'edit');
  whoOptions(show);
  howLongOptions(show)
    .addHelpText('after', '\nExample:\n  secondwind config show --on-quota wait -C ~/project')
    .action(async (flags: PlanFlags) => {
      done(await (await import('../commands/config.ts')).showConfig(io, flags));
    });
  config
    .command('path')
    .description('which files are read, and which of them are there')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  secondwind config path --json')
    .action(async (flags: JsonFlag) => {
      done((await import('../commands/config.ts')).configPath(io, flags));
    });
  config
    .command('schema')
    .description('the JSON Schema of config.json, by which editors explain and complete it')
    .option('--project', "of a project's secondwind.config.json")
    .addHelpText('after', '\nExample:\n  secondwind config schema --project > secondwind.schema.json')
    .action(async (flags: { readonly project?: boolean }) => {
      done(await (await import('../commands/config.ts')).configSchema(io, flags));
    });
  config
    .command('init')
    .description('ask a few questions and write a first config.json, with comments')
    .option('-y, --yes', 'ask nothing: the CLIs that are installed, and what is usual')
    .option('--force', 'write over a config.json that is there')
    .addHelpText('after', '\nExample:\n  secondwind config init --yes')
    .action(async (flags: InitFlags) => {
      done(await (await import('../commands/config-init.ts')).initConfig(io, flags));
    });
}
