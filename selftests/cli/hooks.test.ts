import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { JsonEvent, Stage } from '../rig/cli.ts';
import { aStage, playing } from '../rig/cli.ts';

/** A run in which a seat closes and the next worker is done, with these hooks. */
function aStoryWith(on: Readonly<Record<string, string>>): Stage {
  const stage = aStage();
  // The stage's own PATH has nothing that a shell's script needs.
  const hooks = Object.entries(on).map(([event, command]) => [event, `PATH=/usr/bin:/bin; ${command}`]);
  stage.configure({
    workers: [playing('claude', 'seat-exhausted-sleeps'), playing('gemini', 'ok')],
    on: Object.fromEntries(hooks) as unknown,
  });
  return stage;
}

it('runs a hook at its event: the event on stdin as --json tells it, in the directory of the session', async () => {
  const keep =
    'cat > "$HOME/$SECONDWIND_EVENT.json"; pwd > "$HOME/pwd"; printf %s "$SECONDWIND_SESSION" > "$HOME/id"';
  const stage = aStoryWith({ 'cooldown.recorded': keep, 'session.ended': `sleep 1; ${keep}` });
  const { code, events, stderr } = await stage.run(['run', '--json', 'say hi']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const text = (name: string) => readFileSync(join(stage.home, name), 'utf8');
  for (const type of ['cooldown.recorded', 'session.ended']) {
    expect(text(`${type}.json`).trimEnd().split('\n')).toHaveLength(1);
    const { at, ...given } = JSON.parse(text(`${type}.json`)) as JsonEvent;
    expect(typeof at).toBe('string');
    expect(events.find((event) => event.type === type)).toMatchObject(given);
  }
  expect(text('pwd').trim()).toBe(stage.project);
  expect(text('id')).toBe(events[0]?.session);
});

it('lets no hook fail, change or print into a run, and tells of each failure once', async () => {
  const stage = aStoryWith({
    'attempt.started': 'echo out; echo "no \u001b[2J such sk-ant-api03-canary" >&2; exit 3',
    'cooldown.recorded': 'kill -9 $$',
    'session.ended': 'exec 0<&-; true',
  });
  const { code, stdout, stderr } = await stage.run(['run', 'say hi']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'All done.\n' });
  const notes = stderr.split('\n').filter((line) => line.startsWith('secondwind: '));
  expect(notes).toEqual([
    'secondwind: the hook of attempt.started failed (exit 3): no \u{fffd}[2J such [key].',
    'secondwind: the hook of cooldown.recorded failed (SIGKILL).',
  ]);
});

it('ends a hook that does not end with the run, and all that it started', async () => {
  const stage = aStoryWith({ 'session.started': 'sleep 300 & sleep 300; touch "$HOME/late"' });
  const { code, stdout, stderr } = await stage.run(['run', 'say hi']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'All done.\n' });
  expect(stderr).toContain('the hook of session.started was ended: ');
  expect(stage.alive()).toEqual([]);
  expect(existsSync(join(stage.home, 'late'))).toBe(false);
});

it('runs none for --dry-run, and none in a secondwind that a hook starts', async () => {
  const stage = aStoryWith({ 'session.started': 'echo x >> "$HOME/started"' });
  await stage.run(['run', '--dry-run', 'say hi']);
  await stage.run(['run', 'say hi'], { env: { SECONDWIND_EVENT: 'session.ended' } });
  expect(existsSync(join(stage.home, 'started'))).toBe(false);
  await stage.run(['run', 'say hi']);
  expect(readFileSync(join(stage.home, 'started'), 'utf8')).toBe('x\n');
});
