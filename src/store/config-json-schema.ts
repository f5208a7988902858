import { toJsonSchema } from '@valibot/to-json-schema';
import { projectConfigSchema, userConfigSchema } from './config.ts';

/**
 * The JSON Schema (draft 7, which every editor reads) of one of the two configuration files, as they are written.
 * Editors of the VS Code family also read there that comments are welcome.
 */
export function configJsonSchema(
  file: 'user' | 'project',
  adapters: readonly string[],
): Readonly<Record<string, unknown>> {
  const schema = file === 'user' ? userConfigSchema(adapters) : projectConfigSchema();
  const title = file === 'user' ? "secondwind's config.json" : "a project's secondwind.config.json";
  const json = toJsonSchema(schema, {
    ...{ target: 'draft-07', typeMode: 'input' },
    // What they refuse no JSON Schema can say.
    ignoreActions: ['check', 'raw_check', 'finite', 'trim'],
    overrideSchema({ jsonSchema: { required = [], ...rest } }) {
      return required.length === 0 ? rest : undefined;
    },
  });
  return { ...json, title, allowComments: true, allowTrailingCommas: true };
}
