// Writes dist/library.d.ts: the types of `import … from 'secondwind'` in one file, which needs no other package's.
// Apart from the build, as it takes as long as everything else together and nothing here reads it.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const bundle = await rollup({
  input: 'src/library/public.ts',
  external: /^node:/,
  plugins: [dts()],
  onwarn({ message }) {
    throw new Error(message);
  },
});
const { output } = await bundle.generate({ format: 'es' });
mkdirSync('dist', { recursive: true });
const beside = `dist/library.d.ts.${process.pid}`;
writeFileSync(beside, output[0].code);
renameSync(beside, 'dist/library.d.ts');
