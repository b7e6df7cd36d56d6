import { loadGraph } from './graph-file/load-graph.js'
import { jobNamed } from './job-exports.js'
import type { SchemaOptions } from './options.js'
import { print, printJson } from './terminal/output.js'

interface PackageOptions extends SchemaOptions {
  readonly out: string
  readonly from?: readonly string[]
  readonly validation?: boolean
}

/** Writes a folder that runs jobs on a cluster. */
export async function packageCommand(file: string, names: readonly string[], options: PackageOptions): Promise<void> {
  const { out, from, json, validation } = options
  const loaded = await loadGraph(file, options)
  const jobs = names.map(name => jobNamed(loaded, name))
  const { packageSpark, sparkPlan } = await import('../batch/index.js')
  const files = packageSpark(sparkPlan(loaded.layout, { from, jobs, validation }), out)
  if (json) printJson({ out, files, jobs: jobs.map(({ name }) => name), validation: validation ?? false })
  else print(`Wrote ${files.join(', ')} to ${out}. README.md has the commands that run it.`)
}
