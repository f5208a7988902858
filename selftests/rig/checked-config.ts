import { projectConfigSchema, userConfigSchema } from '../../src/store/config.ts';
import { readConfig } from '../../src/store/read-config.ts';
import { ADAPTER_NAMES } from '../../src/workers/registry.ts';

/** Whether it passes as the operator's own file. */
export function isUserConfig(value: unknown): boolean {
  return readConfig('config.json', JSON.stringify(value), userConfigSchema(ADAPTER_NAMES)).ok;
}

/** Whether it passes as a project's file. */
export function isProjectConfig(value: unknown): boolean {
  return readConfig('secondwind.config.json', JSON.stringify(value), projectConfigSchema()).ok;
}
