// Adds up vitest's JSON reports: `N passed, N failed`. A step that failed without a failed test counts as one, and so
// does a report that is missing or empty.
import { readFileSync } from 'node:fs';

const [stepFailed, ...files] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const file of files) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    passed += report.numPassedTests;
    failed += report.numFailedTests + (report.numPassedTests === 0 ? 1 : 0);
  } catch (error) {
    console.error(`no report in ${file}: ${error.message}`);
    failed += 1;
  }
}
if (files.length < 3) failed += 1;
if (stepFailed === '1' && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
