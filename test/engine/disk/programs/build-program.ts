import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Within the project, so that its imports resolve. */
const FOLDER = fileURLToPath(new URL('../../../../build/disk/', import.meta.url))

/** Compiles a TypeScript program of the tests, because Node 20 cannot run it directly. */
export async function builtProgram(source: URL): Promise<string> {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(source)],
    outdir: FOLDER,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
    metafile: true,
  })
  const [output] = Object.keys(metafile.outputs)
  return `${FOLDER}${output!.split('/').at(-1)}`
}
