import { err } from '../core/result.ts';
import type { Worker } from '../core/worker.ts';
import type { HandoverEffects } from '../fleet/handover.ts';
import { moveConversation } from '../system/conversation-file.ts';
import { workTreeChanges } from '../system/git.ts';
import { absolutePath } from '../system/input.ts';
import { childEnvironment } from '../workers/child-environment.ts';
import type { Host } from './host.ts';
import type { Plan } from './plan.ts';
import { adapterOf } from './plan.ts';

/** What a handover does to the world, wired to the real one. */
export function handoverEffects(
  { clock, env, home }: Host,
  plan: Pick<Plan, 'adapters' | 'directory'>,
): Omit<HandoverEffects, 'emit'> {
  const { directory } = plan;
  const cliHome = (worker: Worker): string => {
    const own = childEnvironment(env, {}, worker.env, home);
    // A relative one is relative to where the CLI is started.
    return absolutePath(adapterOf(plan, worker).conversations.home(own, own['HOME'] ?? home), directory);
  };
  return {
    cliHome,
    workTreeChanges: () => workTreeChanges(directory, { clock, env }),
    moveConversation({ conversation, cliHome: from }, worker) {
      const { title, conversations } = adapterOf(plan, worker);
      const { files } = conversations;
      if (files === undefined || conversation === undefined || from === undefined)
        return Promise.resolve(err(`${title} gives its conversations no sure place in another home`));
      const isIt = (path: string): boolean => files.isOf(path, conversation);
      return moveConversation({ from, to: cliHome(worker), folder: files.folder, isIt });
    },
  };
}
