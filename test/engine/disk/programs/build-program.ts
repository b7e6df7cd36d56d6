import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Within the project, so that what it imports is found from there. */
const FOLDER = fileURLToPath(new URL('../../../../build/disk/', import.meta.url))

/** Makes a program of the tests runnable: Node cannot run it as it is written. */
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
