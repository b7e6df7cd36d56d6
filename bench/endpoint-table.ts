import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Costs } from './endpoint-cost.js'

const BEGIN = '<!-- written by npm run bench:endpoint -- --page -->\n'
const END = '<!-- end -->\n'
const PAGE = 'docs/benchmarks.md'

/** The results: costs of each operation by concurrency and server, then each server's memory and start time. */
export interface Results {
  readonly servers: readonly string[]
  readonly costs: ReadonlyMap<string, ReadonlyMap<number, Costs>>
  readonly memory: ReadonlyMap<string, number>
  readonly starts: ReadonlyMap<string, number>
  readonly items: number
}

/** Formats the results as a Markdown table. */
export function table({ servers, costs, memory, starts, items }: Results): string {
  const row = (label: string, cell: (server: string) => string) => `| ${label} | ${servers.map(cell).join(' | ')} |`
  const machine = `${cpus().length} cores of ${cpus()[0]!.model.trim()} and Node ${process.versions.node}`
  return [
    row('', server => server),
    `|-|${servers.map(() => '-').join('|')}|`,
    ...Array.from(costs, ([label, byConcurrency]) => row(label, server => cellOf(byConcurrency, server))),
    row('from start to first answer, best of several', server => `${starts.get(server)!.toFixed(0)} ms`),
    row(`memory with ${items.toLocaleString('en')} items`, server => `${(memory.get(server)! / 1e6).toFixed(0)} MB`),
    '',
    `Measured with ${machine} on ${new Date().toISOString().slice(0, 10)}.`,
  ].join('\n')
}

/** `50 / 27 µs, 17503/s`. */
function cellOf(byConcurrency: ReadonlyMap<number, Costs>, server: string): string {
  const costs = Array.from(byConcurrency.values(), byServer => byServer.get(server))
  const last = costs.at(-1)
  if (last === undefined) return 'not supported'
  return `${costs.map(cost => cost!.cpuMicroseconds.toFixed(0)).join(' / ')} µs, ${last.perSecond.toFixed(0)}/s`
}

/** Updates the table on the page of benchmarks. */
export function writePage(text: string): void {
  const page = readFileSync(PAGE, 'utf8')
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error('the page has no place for the table')
  writeFileSync(PAGE, `${page.slice(0, begin + BEGIN.length)}${text}\n${page.slice(end)}`)
}
