import type { Command } from 'commander';
import { Argument } from 'commander';
import type { Shell } from '../commands/completion.ts';
import type { Declaring } from './declaring.ts';

export function declareCompletion(program: Command, { io, extraArgs, done }: Declaring): void {
  program
    .command('completion')
    .description('make your shell complete commands, options, workers and sessions')
    .addArgument(new Argument('<shell>', 'whose script to print').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
In the file that your shell reads when it starts:
  bash  ~/.bashrc                    eval "$(secondwind completion bash)"
  zsh   ~/.zshrc, after compinit     eval "$(secondwind completion zsh)"
  fish  ~/.config/fish/config.fish   secondwind completion fish | source

Example:
  secondwind completion bash`,
    )
    .action(async (shell: Shell) => {
      done((await import('../commands/completion.ts')).completion(io, shell));
    });
  // For the scripts only: it answers a shell that waits for it at every Tab.
  program
    .command('complete', { hidden: true })
    .usage('-- <words...>')
    .action(async () => {
      done((await import('../commands/complete.ts')).complete(io, program, extraArgs));
    });
}
