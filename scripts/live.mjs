// `npm run test:live`: the built product over the real CLIs and a loopback upstream. Arguments are patterns of test
// files, as for vitest. Ends with one line that says how many passed and failed.
import { startVitest } from 'vitest/node';

const vitest = await startVitest('test', process.argv.slice(2), {
  config: 'selftests/live/vitest.config.ts',
  watch: false,
});
const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
const count = (state) => tests.filter((test) => test.result().state === state).length;
const [passed, failed] = [count('passed'), count('failed')];
await vitest.close();

// A module that did not load has no tests to fail, and a run that ran nothing has proved nothing.
if (passed === 0 || failed > 0) process.exitCode = 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
