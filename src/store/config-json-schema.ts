import * as z from 'zod';
import { projectConfigSchema, userConfigSchema } from './config.ts';

/**
 * The JSON Schema (draft 7, which every editor reads) of one of the two configuration files, as they are written.
 * Editors of the VS Code family also read there that comments are welcome.
 */
export function configJsonSchema(
  file: 'user' | 'project',
  adapters: readonly string[],
): Readonly<Record<string, unknown>> {
  const schema = file === 'user' ? userConfigSchema(adapters) : projectConfigSchema;
  const title = file === 'user' ? "secondwind's config.json" : "a project's secondwind.config.json";
  const json = z.toJSONSchema(schema, {
    ...{ target: 'draft-7', io: 'input' },
    // What a refinement refuses no JSON Schema can say, but here the values can be named.
    override: ({ zodSchema, jsonSchema }) => {
      const isChecked = (zodSchema._zod.def.checks ?? []).length > 0;
      if (Array.isArray(jsonSchema.enum) && isChecked)
        jsonSchema.enum = jsonSchema.enum.filter((value) => z.safeParse(zodSchema, value).success);
    },
  });
  return { ...json, title, allowComments: true, allowTrailingCommas: true };
}
